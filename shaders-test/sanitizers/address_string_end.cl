// A byte that ends a text is written behind a buffer that is full.
// LAUNCH: global=1 local=1
// ARG: int=4
kernel void wrong(global uchar *text) {
    int n = 0;
    while (n < 16)
        text[n++] = 'x';
    text[n] = 0;                                         // FINDS out-of-range
}
kernel void right(global uchar *text) {
    int n = 0;
    while (n < 15)
        text[n++] = 'x';
    text[n] = 0;
}
