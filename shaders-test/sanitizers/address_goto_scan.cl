// A search that goes back by a label looks at the element before it tests for the end.
// LAUNCH: global=8 local=8
// ARG: int=32
// ARG: int=8
kernel void wrong(global const int *keys, global int *found) {
    int at = get_global_id(0);
again:
    if (keys[at] == 1)                                   // FINDS out-of-range
        goto done;
    at += 8;
    if (at <= 32)
        goto again;
done:
    found[get_global_id(0)] = at;
}
kernel void right(global const int *keys, global int *found) {
    int at = get_global_id(0);
again:
    if (keys[at] == 1)
        goto done;
    at += 8;
    if (at < 32)
        goto again;
done:
    found[get_global_id(0)] = at;
}
