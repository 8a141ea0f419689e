int test(int x) {
    char c = (char)x; unsigned char uc = (unsigned char)x; short h = (short)(x * 3); unsigned u = (unsigned)x; long l = x;
    unsigned long ul = (unsigned long)l * 0x100000001UL;
    c++; uc--; h <<= 2; c *= 3; uc >>= 1; h ^= 0x55; u /= 3; l %= 7; ul >>= 31;
    int s = c + uc * 2 + h * 3 + (int)(u % 1000) + (int)l * 5 + (int)ul;
    s += (x >> 1) + (int)(u >> 3) + (x << 2) + -x + ~x;
    s += (c < uc) + (u > 5u) * 2 + (x < (int)u) * 4 + ((unsigned)x < 3u) * 8 + (l < ul) * 16;
    float f = x * 0.5f; double d = f; f += 1; d -= 0.25; f = -f; f++; --d;
    s += (int)f + (int)(d * 4) + (f < d) * 1000 + (int)(unsigned char)(d < 0 ? -d : d) + (f != f) * 100000;
    c = 0; c -= 1; uc = 0; uc -= 1;
    s += c + uc;
    s += (short)70000 + (int)1e9f / 1000 + 'a' + (x ? 1 : 2L) ;
    int t = x; int p = t++ * 3; p -= t--; p += --t; p ^= ++t;
    return s * 31 + t * 7 + p;
}
