# The manifest as the one resource of the program: directories of types, names and languages, then the data's place.
    .section .rsrc,"dr"
types:
    .long 0, 0, 0
    .short 0, 1
    .long 24, 0x80000000 + names - types       # 24: manifests
names:
    .long 0, 0, 0
    .short 0, 1
    .long 1, 0x80000000 + languages - types    # 1: of a program
languages:
    .long 0, 0, 0
    .short 0, 1
    .long 0, entry - types                     # 0: any language
entry:
    .rva manifest
    .long manifest_end - manifest, 0, 0
manifest:
    .incbin "windows.manifest"
manifest_end:
