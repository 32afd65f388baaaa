/* The host part of the PE fixtures. */
__declspec(dllexport) int fixture_pe(int x) { return x + 3; }
