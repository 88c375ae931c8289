#include "textflag.h"

// func greatestAVX2(x *float32, n int) uint32
TEXT ·greatestAVX2(SB), NOSPLIT, $0-20
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	VPCMPEQD Y1, Y1, Y1
	VPSRLD $1, Y1, Y1
	VPXOR Y0, Y0, Y0

greatest:
	VPAND (SI), Y1, Y2
	VPMAXUD Y2, Y0, Y0
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ  greatest

	VEXTRACTI128 $1, Y0, X1
	VPMAXUD X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VPMAXUD X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPMAXUD X1, X0, X0
	VMOVD X0, AX
	MOVL AX, ret+16(FP)
	VZEROUPPER
	RET

// func quantizeAVX2(codes *int8, x *float32, n int, by float32) int32
TEXT ·quantizeAVX2(SB), NOSPLIT, $0-36
	MOVQ codes+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSS factor+24(FP), Y3
	VPXOR Y0, Y0, Y0

quantize:
	VMULPS (SI), Y3, Y1
	VCVTPS2DQ Y1, Y1
	VPADDD Y1, Y0, Y0
	VEXTRACTI128 $1, Y1, X2
	VPACKSSDW X2, X1, X1
	VPACKSSWB X1, X1, X1
	VMOVQ X1, (DI)
	ADDQ $32, SI
	ADDQ $8, DI
	SUBQ $8, CX
	JNZ  quantize

	VEXTRACTI128 $1, Y0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPADDD X1, X0, X0
	VMOVD X0, AX
	MOVL AX, ret+32(FP)
	VZEROUPPER
	RET

// func interpolateAVX2(x *float32, n int, table *float32, by, low, high float32)
TEXT ·interpolateAVX2(SB), NOSPLIT, $0-36
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ table+16(FP), DX
	VBROADCASTSS factor+24(FP), Y0
	VBROADCASTSS low+28(FP), Y1
	VBROADCASTSS high+32(FP), Y2
	MOVL $0x43800000, AX // 256
	VMOVD AX, X3
	VPBROADCASTD X3, Y3
	VXORPS Y4, Y4, Y4

interpolate:
	VMULPS (SI), Y0, Y5    // x
	VMAXPS Y1, Y5, Y6
	VMINPS Y2, Y6, Y6      // between low and high
	VSUBPS Y2, Y5, Y5
	VMAXPS Y4, Y5, Y5      // what is beyond high
	VSUBPS Y1, Y6, Y6
	VMULPS Y3, Y6, Y6      // place in the table
	VCVTTPS2DQ Y6, Y7
	VCVTDQ2PS Y7, Y8
	VSUBPS Y8, Y6, Y6      // share of the way to the next place
	VEXTRACTI128 $1, Y7, X8
	VPCMPEQD Y9, Y9, Y9
	VGATHERDPD Y9, (DX)(X7*4), Y10 // both places of four numbers
	VPCMPEQD Y9, Y9, Y9
	VGATHERDPD Y9, (DX)(X8*4), Y11
	VSHUFPS $0xdd, Y11, Y10, Y12
	VSHUFPS $0x88, Y11, Y10, Y10
	VPERMPD $0xd8, Y10, Y10 // the values at the places
	VPERMPD $0xd8, Y12, Y11 // and at the next ones
	VSUBPS Y10, Y11, Y11
	VMULPS Y6, Y11, Y11
	VADDPS Y11, Y10, Y10
	VADDPS Y5, Y10, Y10
	VMOVUPS Y10, (SI)
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ  interpolate

	VZEROUPPER
	RET

// func highestAVX2(x *float32, n int) float32
TEXT ·highestAVX2(SB), NOSPLIT, $0-20
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	VMOVUPS (SI), Y0
	JMP  next

highest:
	VMAXPS (SI), Y0, Y0

next:
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ  highest

	VEXTRACTF128 $1, Y0, X1
	VMAXPS X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VMAXPS X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VMAXPS X1, X0, X0
	VMOVSS X0, ret+16(FP)
	VZEROUPPER
	RET

// func belowAVX2(x *float32, n int, most, end float32)
TEXT ·belowAVX2(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	VBROADCASTSS most+16(FP), Y0
	VBROADCASTSS end+20(FP), Y1

below:
	VSUBPS (SI), Y0, Y2
	VMINPS Y1, Y2, Y2
	VMOVUPS Y2, (SI)
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ  below

	VZEROUPPER
	RET

// func normalizeAVX2(x, weight, bias *float32, n int, mean, by float32)
TEXT ·normalizeAVX2(SB), NOSPLIT, $0-40
	MOVQ x+0(FP), SI
	MOVQ weight+8(FP), DX
	MOVQ bias+16(FP), BX
	MOVQ n+24(FP), CX
	VBROADCASTSS mean+32(FP), Y0
	VBROADCASTSS factor+36(FP), Y1

normalize:
	VMOVUPS (SI), Y2
	VSUBPS Y0, Y2, Y2
	VMULPS Y1, Y2, Y2
	VMULPS (DX), Y2, Y2
	VADDPS (BX), Y2, Y2
	VMOVUPS Y2, (SI)
	ADDQ $32, SI
	ADDQ $32, DX
	ADDQ $32, BX
	SUBQ $8, CX
	JNZ  normalize

	VZEROUPPER
	RET
