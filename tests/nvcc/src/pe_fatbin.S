// Puts a ready-made fatbin into a PE image, in the section that nvcc uses.
    .section .nv_fatbin, "dr"
    .p2align 3
    .incbin FATBIN
