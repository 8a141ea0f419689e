// A tokenizer as a loop around a switch over an enumeration.
// RUN: kernel=k global=1
// ARG: buffer:char=49,50,32,43,51,32,97,98,49,32,32,45,55,0
// ARG: buffer:bytes=28
// EXPECT 1: int=3,1,2,22,2,0,3
enum state { START, NUMBER, NAME, STOP = 10, ERROR };
typedef enum state state_t;
kernel void k(global const char *text, global int *out)
{
    state_t s = START;
    int numbers = 0, names = 0, signs = 0, sum = 0, value = 0, spaces = 0;
    while (s != STOP && s != ERROR) {
        const char c = *text;
        switch (s) {
        case START:
            if (c == 0) { s = STOP; break; }
            if (c == ' ') { spaces++; text++; }
            else if (c >= '0' && c <= '9') { s = NUMBER; value = 0; numbers++; }
            else if (c >= 'a' && c <= 'z') { s = NAME; names++; }
            else if (c == '+' || c == '-') { signs++; text++; }
            else s = ERROR;
            break;
        case NUMBER:
            if (c < '0' || c > '9') { sum += value; s = START; continue; }
            value = value * 10 + (c - '0');
            text++;
            break;
        case NAME:
            if ((c < 'a' || c > 'z') && (c < '0' || c > '9')) s = START;
            else text++;
            break;
        default:
            s = ERROR;
        }
    }
    out[0] = numbers; out[1] = names; out[2] = signs; out[3] = sum; out[4] = s == STOP ? 2 : 1;
    out[5] = s == ERROR; out[6] = spaces - 1;
}
