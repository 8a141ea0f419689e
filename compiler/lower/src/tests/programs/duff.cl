int test(int count) {
    int s = 0, k = 1;
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { s = s * 3 + k++;
    case 3:      s = s * 3 + k++;
    case 2:      s = s * 3 + k++;
    case 1:      s = s * 3 + k++;
            } while (--n > 0);
    }
    return s;
}
