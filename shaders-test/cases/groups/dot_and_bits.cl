// Integer dot products and operations on bit fields.
// RUN: kernel=k global=1
// ARG: buffer:int=0..24
// SKIP reference: the driver has neither extension
// EXPECT 0: int=-260100,-130050,260100,65408,-1,2147483647,-2147483648,70,-70,-5,-18,127,-4,12,-1,1234,-2147483648,16711935,1,-128,0,255,-559038737,-8
kernel void k(global int *o) {
    uchar4 big = (uchar4)(255);
    char4 least = (char4)(-128), minus = (char4)(-1);
    o[0] = -(int)dot(big, big);
    o[1] = dot(big, (char4)(-128, -127, -127, -128));
    o[2] = (int)dot_4x8packed_uu_uint(0xffffffffu, 0xffffffffu);
    o[3] = dot_4x8packed_ss_int(0x80808080u, 0x80808081u);
    o[4] = (int)dot_acc_sat(big, big, 0xffffff00u);
    o[5] = dot_acc_sat(least, least, 2147483647);
    o[6] = dot_acc_sat(big, least, -2147483647);
    o[7] = dot((char4)(1, 2, 3, 4), (char4)(5, 6, 7, 8));
    o[8] = dot_4x8packed_su_int(0xfcfdfeffu, 0x08070605u);
    o[9] = bitfield_extract_signed(0x5b0, 4, 5);
    o[10] = bitfield_insert(-1, 0, 0, 5) + 14;
    o[11] = bitfield_insert((char)0, (char)-1, 0, 7);
    o[12] = bitfield_extract_signed(0xc0u, 4, 4);
    o[13] = (int)bitfield_extract_unsigned(0xc0, 4, 4);
    o[14] = (int)bitfield_extract_signed(-1L, 0, 64);
    o[15] = bitfield_insert(1234, 77, 3, 0);
    o[16] = bit_reverse(1);
    o[17] = bit_reverse(0xff00ff00);
    o[18] = bit_reverse((uchar)128);
    o[19] = bit_reverse((char)1);
    o[20] = (int)bitfield_extract_unsigned(0xffffL, 16, 16);
    o[21] = bitfield_extract_unsigned((uchar)255, 0, 8);
    o[22] = bitfield_insert(0, (int)0xdeadbeef, 0, 32);
    o[23] = bitfield_extract_signed((short4)(0x8000), 12, 4).y;
}
