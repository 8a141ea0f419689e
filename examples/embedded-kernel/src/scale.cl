// Multiplies `count` numbers by `factor`.
kernel void scale(global uint *data, uint count, uint factor)
{
    size_t i = get_global_id(0);
    if (i < count)
        data[i] *= factor;
}
