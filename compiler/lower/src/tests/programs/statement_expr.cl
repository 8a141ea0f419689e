int test(int x) {
    int s = 0;
    for (int i = 0; i < 5; i++) {
        s += ({ int t = i * x; if (t == 6) continue; if (t > 20) break; t + 1; });
        s = s * 2 + ({ if (s > 200) return -s; s; });
    }
    return s + ({ do { s++; } while (s & 3); s; }) * 1000;
}
