#include "textflag.h"

// ZERO clears the sums of a tile: those of row i are in Z(2i) and Z(2i+1).
#define ZERO \
	VPXORQ Z0, Z0, Z0 \
	VPXORQ Z1, Z1, Z1 \
	VPXORQ Z2, Z2, Z2 \
	VPXORQ Z3, Z3, Z3 \
	VPXORQ Z4, Z4, Z4 \
	VPXORQ Z5, Z5, Z5 \
	VPXORQ Z6, Z6, Z6 \
	VPXORQ Z7, Z7, Z7 \
	VPXORQ Z8, Z8, Z8 \
	VPXORQ Z9, Z9, Z9 \
	VPXORQ Z10, Z10, Z10 \
	VPXORQ Z11, Z11, Z11 \
	VPXORQ Z12, Z12, Z12 \
	VPXORQ Z13, Z13, Z13 \
	VPXORQ Z14, Z14, Z14 \
	VPXORQ Z15, Z15, Z15

// FOUR adds a step of the rows from DX on, BX bytes apart (R9 is three times BX), to the sums of the first four rows, and
// goes on to the next step.
#define FOUR \
	VMOVDQU64 (SI), Z16 \
	VMOVDQU64 64(SI), Z17 \
	VPBROADCASTD (DX), Z18 \
	VPBROADCASTD (DX)(BX*1), Z19 \
	VPBROADCASTD (DX)(BX*2), Z20 \
	VPBROADCASTD (DX)(R9*1), Z21 \
	VPDPBUSD Z18, Z16, Z0 \
	VPDPBUSD Z18, Z17, Z1 \
	VPDPBUSD Z19, Z16, Z2 \
	VPDPBUSD Z19, Z17, Z3 \
	VPDPBUSD Z20, Z16, Z4 \
	VPDPBUSD Z20, Z17, Z5 \
	VPDPBUSD Z21, Z16, Z6 \
	VPDPBUSD Z21, Z17, Z7 \
	ADDQ $128, SI \
	ADDQ $4, DX

// FOUR_MORE does the same for the four rows from R8 on, with the weights that FOUR has read.
#define FOUR_MORE \
	VPBROADCASTD (R8), Z22 \
	VPBROADCASTD (R8)(BX*1), Z23 \
	VPBROADCASTD (R8)(BX*2), Z24 \
	VPBROADCASTD (R8)(R9*1), Z25 \
	VPDPBUSD Z22, Z16, Z8 \
	VPDPBUSD Z22, Z17, Z9 \
	VPDPBUSD Z23, Z16, Z10 \
	VPDPBUSD Z23, Z17, Z11 \
	VPDPBUSD Z24, Z16, Z12 \
	VPDPBUSD Z24, Z17, Z13 \
	VPDPBUSD Z25, Z16, Z14 \
	VPDPBUSD Z25, Z17, Z15 \
	ADDQ $4, R8

// RESTORE writes the products of row i, in lo and hi, to y: less the offset's, times the scales, and the bias. Then it
// goes on to the next row.
#define RESTORE(i, lo, hi) \
	VPBROADCASTD (i*4)(R11), Z20  \
	VPSLLD       $5, Z20, Z20     \
	VBROADCASTSS (i*4)(R10), Z21  \
	VPSUBD       Z20, lo, lo      \
	VPSUBD       Z20, hi, hi      \
	VCVTDQ2PS    lo, lo           \
	VCVTDQ2PS    hi, hi           \
	VMULPS       Z16, Z21, Z22    \
	VMULPS       Z17, Z21, Z23    \
	VMULPS       Z22, lo, lo      \
	VMULPS       Z23, hi, hi      \
	VADDPS       Z18, lo, lo      \
	VADDPS       Z19, hi, hi      \
	VMOVUPS      lo, (DI)         \
	VMOVUPS      hi, 64(DI)       \
	ADDQ         R12, DI          \
	DECQ         R13              \
	JZ           restored

// func multiplyVNNI(y *float32, w *uint8, a *int8, stride, n int, scale, bias, by *float32, sum *int32, gap, rows int)
TEXT ·multiplyVNNI(SB), NOSPLIT, $0-88
	MOVQ y+0(FP), DI
	MOVQ w+8(FP), SI
	MOVQ a+16(FP), DX
	MOVQ stride+24(FP), BX
	MOVQ n+32(FP), CX
	MOVQ factor+56(FP), R10
	MOVQ sum+64(FP), R11
	MOVQ gap+72(FP), R12
	SHLQ $2, R12
	MOVQ rows+80(FP), R13
	LEAQ (BX)(BX*2), R9
	LEAQ (DX)(BX*4), R8
	ZERO
	CMPQ R13, $4
	JLE  four

eight:
	FOUR
	FOUR_MORE
	DECQ CX
	JNZ  eight
	JMP  scales

four: // the other rows are padding
	FOUR
	DECQ CX
	JNZ  four

scales:
	MOVQ scale+40(FP), AX
	VMOVUPS (AX), Z16
	VMOVUPS 64(AX), Z17
	MOVQ bias+48(FP), AX
	VMOVUPS (AX), Z18
	VMOVUPS 64(AX), Z19
	RESTORE(0, Z0, Z1)
	RESTORE(1, Z2, Z3)
	RESTORE(2, Z4, Z5)
	RESTORE(3, Z6, Z7)
	RESTORE(4, Z8, Z9)
	RESTORE(5, Z10, Z11)
	RESTORE(6, Z12, Z13)
	RESTORE(7, Z14, Z15)

restored:
	VZEROUPPER
	RET

DATA ones<>+0(SB)/8, $0x0001000100010001
DATA ones<>+8(SB)/8, $0x0001000100010001
DATA ones<>+16(SB)/8, $0x0001000100010001
DATA ones<>+24(SB)/8, $0x0001000100010001
GLOBL ones<>(SB), RODATA|NOPTR, $32

// PAIR adds two steps of a row, in Y12 and Y13, to its sums in lo and hi.
#define PAIR(lo, hi) \
	VPMADDUBSW Y12, Y8, Y14      \
	VPMADDUBSW Y13, Y10, Y15     \
	VPADDW     Y15, Y14, Y14     \
	VPMADDUBSW Y12, Y9, Y12      \
	VPMADDUBSW Y13, Y11, Y13     \
	VPADDW     Y13, Y12, Y12     \
	VPMADDWD   ones<>(SB), Y14, Y14 \
	VPMADDWD   ones<>(SB), Y12, Y12 \
	VPADDD     Y14, lo, lo       \
	VPADDD     Y12, hi, hi

// WRITE does what RESTORE does.
#define WRITE(i, lo, hi) \
	VPBROADCASTD (i*4)(R11), Y12  \
	VPSLLD       $5, Y12, Y12     \
	VBROADCASTSS (i*4)(R10), Y13  \
	VPSUBD       Y12, lo, lo      \
	VPSUBD       Y12, hi, hi      \
	VCVTDQ2PS    lo, lo           \
	VCVTDQ2PS    hi, hi           \
	VMULPS       Y8, Y13, Y14     \
	VMULPS       Y9, Y13, Y15     \
	VMULPS       Y14, lo, lo      \
	VMULPS       Y15, hi, hi      \
	VADDPS       Y10, lo, lo      \
	VADDPS       Y11, hi, hi      \
	VMOVUPS      lo, (DI)         \
	VMOVUPS      hi, 32(DI)       \
	ADDQ         R12, DI          \
	DECQ         R13              \
	JZ           written

// quarterAVX2 multiplies up to four rows with 16 columns.
//
// func quarterAVX2(y *float32, w *uint8, a *int8, stride, n int, scale, bias, factor *float32, sum *int32, gap, rows int)
TEXT ·quarterAVX2(SB), NOSPLIT, $0-88
	MOVQ y+0(FP), DI
	MOVQ w+8(FP), SI
	MOVQ a+16(FP), DX
	MOVQ stride+24(FP), BX
	MOVQ n+32(FP), CX
	MOVQ factor+56(FP), R10
	MOVQ sum+64(FP), R11
	MOVQ gap+72(FP), R12
	SHLQ $2, R12
	MOVQ rows+80(FP), R13
	LEAQ (BX)(BX*2), R9
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

pair:
	VMOVDQU (SI), Y8
	VMOVDQU 32(SI), Y9
	VMOVDQU 128(SI), Y10
	VMOVDQU 160(SI), Y11
	VPBROADCASTD (DX), Y12
	VPBROADCASTD 4(DX), Y13
	PAIR(Y0, Y1)
	VPBROADCASTD (DX)(BX*1), Y12
	VPBROADCASTD 4(DX)(BX*1), Y13
	PAIR(Y2, Y3)
	VPBROADCASTD (DX)(BX*2), Y12
	VPBROADCASTD 4(DX)(BX*2), Y13
	PAIR(Y4, Y5)
	VPBROADCASTD (DX)(R9*1), Y12
	VPBROADCASTD 4(DX)(R9*1), Y13
	PAIR(Y6, Y7)
	ADDQ $256, SI
	ADDQ $8, DX
	DECQ CX
	JNZ  pair

	MOVQ scale+40(FP), AX
	VMOVUPS (AX), Y8
	VMOVUPS 32(AX), Y9
	MOVQ bias+48(FP), AX
	VMOVUPS (AX), Y10
	VMOVUPS 32(AX), Y11
	WRITE(0, Y0, Y1)
	WRITE(1, Y2, Y3)
	WRITE(2, Y4, Y5)
	WRITE(3, Y6, Y7)

written:
	VZEROUPPER
	RET
