// A library that nvcc never saw.
extern "C" int fixture_plain(int x) {
    return x * 2;
}
