/* Sub-devices: what they say of themselves, and that their kernels are executed on their share of the processors only, as the
   system sees the driver's threads. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"
#include <CL/cl.h>
#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1024, COUNT = 4096, EQUALLY_EXT = 0x4050, BY_COUNTS_EXT = 0x4051, BY_NAMES_EXT = 0x4052, BY_DOMAIN_EXT, PARENT_EXT = 0x4054,
       TYPES_EXT = 0x4055, AFFINITY_EXT = 0x4056, REFERENCES_EXT = 0x4057, STYLE_EXT = 0x4058, FAILED_EXT = -1057,
       INVALID_COUNT_EXT = -1058, INVALID_NAME_EXT = -1059, BY_NAMES_INTEL = 0x4052 };
typedef cl_device_partition_property property;

static cl_int (*create_ext)(cl_device_id, const cl_ulong *, cl_uint, cl_device_id *, cl_uint *);
static cl_int (*retain_ext)(cl_device_id), (*release_ext)(cl_device_id);
static cl_device_id root, parts[MOST];
static cl_uint units;

static cl_uint number(cl_device_id device, cl_device_info name)
{
    cl_uint found = ~0u;
    check(clGetDeviceInfo(device, name, sizeof found, &found, NULL) == CL_SUCCESS, "a number");
    return found;
}

static cl_device_id parent(cl_device_id device)
{
    cl_device_id found;
    check(clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE, sizeof found, &found, NULL) == CL_SUCCESS, "parent");
    return found;
}

/* The value of a query has these bytes. */
static void value(cl_device_id device, cl_device_info name, const void *expected, size_t size)
{
    char found[512];
    size_t needed;
    check(clGetDeviceInfo(device, name, sizeof found, found, &needed) == CL_SUCCESS, "a query");
    check(needed == size && !memcmp(found, expected, size), "the value of a query");
}

static cl_uint create(const property *properties)
{
    cl_uint count = 0, again = 0;
    check(clCreateSubDevices(root, properties, 0, NULL, &count) == CL_SUCCESS && count > 0 && count <= MOST, "the number of parts");
    check(clCreateSubDevices(root, properties, count, parts, &again) == CL_SUCCESS && again == count, "parts");
    return count;
}

static void release(cl_uint count)
{
    for (cl_uint i = 0; i < count; i++) {
        check(clReleaseDevice(parts[i]) == CL_SUCCESS, "release");
        check(clReleaseDevice(parts[i]) == CL_INVALID_DEVICE, "a part that is gone");
    }
}

/* Whether the driver has threads that may run on one processor only, this one. */
static int has_threads_on(int processor)
{
    DIR *tasks = opendir("/proc/self/task");
    int found = 0;
    for (struct dirent *task; (task = readdir(tasks));) {
        char path[300], line[300], name[64] = "", expected[64];
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", task->d_name);
        FILE *file = task->d_name[0] == '.' ? NULL : fopen(path, "r");
        if (!file) continue;
        if (!fgets(name, sizeof name, file)) name[0] = 0;
        fclose(file);
        snprintf(path, sizeof path, "/proc/self/task/%s/status", task->d_name);
        file = fopen(path, "r");
        snprintf(expected, sizeof expected, "Cpus_allowed_list:\t%d\n", processor);
        while (file && fgets(line, sizeof line, file)) found |= !strncmp(name, "llvmpipe", 8) && !strcmp(line, expected);
        if (file) fclose(file);
    }
    closedir(tasks);
    return found;
}

/* The first processors that this process may run on. */
static int processors(int *numbers, int most)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[4096];
    int count = 0;
    while (fgets(line, sizeof line, file)) {
        char *at = line + 18;
        if (strncmp(line, "Cpus_allowed_list:", 18)) continue;
        for (char *end; count < most; at = end + 1) {
            long first = strtol(at, &end, 10), last = first;
            if (end == at) break;
            if (*end == '-') last = strtol(at = end + 1, &end, 10);
            for (; first <= last && count < most; first++) numbers[count++] = (int)first;
            if (*end != ',') break;
        }
    }
    fclose(file);
    return count;
}

static const char *source = "kernel void add(global uint *a, uint by) { a[get_global_id(0)] += by; }";

/* Kernels on all these devices in one context, with a program that is built for all of them or for one. */
static void execute(cl_uint count, cl_device_id *devices, cl_device_id builds_for)
{
    static cl_uint found[COUNT];
    cl_int code;
    cl_context context = clCreateContext(NULL, count, devices, NULL, NULL, &code);
    check(code == CL_SUCCESS, "context");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clBuildProgram(program, builds_for ? 1 : 0, builds_for ? &builds_for : NULL, "", NULL, NULL) == CL_SUCCESS, "program");
    cl_kernel kernel = clCreateKernel(program, "add", &code);
    check(code == CL_SUCCESS, "kernel");
    memset(found, 0, sizeof found);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof found, found, &code);
    cl_uint total = 0;
    size_t size = COUNT;
    for (cl_uint turn = 0; turn < 2 * count; turn++) {
        cl_device_id device, expected = devices[turn % count];
        cl_command_queue queue = clCreateCommandQueueWithProperties(context, expected, NULL, &code);
        check(code == CL_SUCCESS, "queue");
        check(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL) == CL_SUCCESS && device == expected, "the queue's device");
        cl_uint by = turn + 1;
        check(!clSetKernelArg(kernel, 0, sizeof buffer, &buffer) && !clSetKernelArg(kernel, 1, sizeof by, &by), "arguments");
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL) == CL_SUCCESS && clFinish(queue) == CL_SUCCESS, "launch");
        total += by;
        check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL) == CL_SUCCESS, "read");
        for (int i = 0; i < COUNT; i++) check(found[i] == total, "what the kernels have added");
        clReleaseCommandQueue(queue);
    }
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void equally(void)
{
    const property each[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    const cl_ulong style[] = {EQUALLY_EXT, 1, 0};
    int numbers[2];
    cl_uint count = create(each), shown = count < 2 ? count : 2;
    check(count == units && processors(numbers, 2) == 2, "a part for each unit");
    for (cl_uint i = 0; i < count; i++) {
        check(number(parts[i], CL_DEVICE_MAX_COMPUTE_UNITS) == 1 && parent(parts[i]) == root, "a part");
        check(number(parts[i], CL_DEVICE_REFERENCE_COUNT) == 1 && number(parts[i], REFERENCES_EXT) == 1, "one reference");
        check(number(parts[i], CL_DEVICE_PARTITION_MAX_SUB_DEVICES) == 0, "no parts of its own");
        value(parts[i], CL_DEVICE_PARTITION_TYPE, each, sizeof each);
        value(parts[i], STYLE_EXT, style, sizeof style);
        value(parts[i], CL_DEVICE_PARTITION_PROPERTIES, &(property){0}, sizeof(property));
        value(parts[i], TYPES_EXT, "", 0);
        value(parts[i], PARENT_EXT, &root, sizeof root);
        check(clCreateSubDevices(parts[i], each, 1, parts + count, NULL) == CL_DEVICE_PARTITION_FAILED, "a part of a part");
        check(create_ext(parts[i], style, 1, parts + count, NULL) == FAILED_EXT, "a part of a part");
    }
    for (cl_uint i = 0; i < shown; i++) {
        check(!has_threads_on(numbers[i]), "threads before the first use");
        execute(1, &parts[i], NULL);
    }
    cl_int code;
    cl_context context = clCreateContext(NULL, shown, parts, NULL, NULL, &code);
    check(code == CL_SUCCESS, "a context of parts");
    for (cl_uint i = 0; i < shown; i++) check(has_threads_on(numbers[i]), "threads on the part's processor");
    execute(shown, parts, NULL);
    parts[shown] = root;
    execute(shown + 1, parts, root);
    check(clRetainDevice(parts[0]) == CL_SUCCESS && number(parts[0], CL_DEVICE_REFERENCE_COUNT) == 2, "retain");
    check(clReleaseDevice(parts[0]) == CL_SUCCESS && number(parts[0], CL_DEVICE_REFERENCE_COUNT) == 1, "release");
    clReleaseContext(context);
    /* The third place has the root device again. */
    for (cl_uint i = 0; i < count; i++)
        if (parts[i] != root) check(clReleaseDevice(parts[i]) == CL_SUCCESS, "release");
}

/* Whether a device that has no owner any more goes, soon: a queue's thread may hold a command for a moment after its end. */
static int goes(cl_device_id device)
{
    const struct timespec pause = {0, 1000000};
    for (int i = 0; i < 10000; i++) {
        if (clRetainDevice(device) == CL_INVALID_DEVICE) return 1;
        clReleaseDevice(device);
        nanosleep(&pause, NULL);
    }
    return 0;
}

static void counts(void)
{
    const property one[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0}, all[] = {CL_DEVICE_PARTITION_BY_COUNTS, units - 1, 1, 0, 0};
    const property whole[] = {CL_DEVICE_PARTITION_BY_COUNTS, units, 0, 0}, again[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    check(create(one) == 1 && number(parts[0], CL_DEVICE_MAX_COMPUTE_UNITS) == 1, "one unit");
    value(parts[0], CL_DEVICE_PARTITION_TYPE, one, sizeof one);
    release(1);
    check(create(all) == 2 && number(parts[0], CL_DEVICE_MAX_COMPUTE_UNITS) == units - 1 && number(parts[1], CL_DEVICE_MAX_COMPUTE_UNITS) == 1, "all units");
    release(2);
    /* A part of a part, which outlives the client's reference to that one. */
    cl_uint count;
    check(create(whole) == 1 && clCreateSubDevices(parts[0], again, MOST - 1, parts + 1, &count) == CL_SUCCESS && count == units, "parts of a part");
    check(parent(parts[1]) == parts[0] && parent(parts[0]) == root, "parents");
    check(clReleaseDevice(parts[0]) == CL_SUCCESS && parent(parts[1]) == parts[0], "the parent is needed");
    execute(1, parts + 1, NULL);
    for (cl_uint i = 1; i <= count; i++) check(clReleaseDevice(parts[i]) == CL_SUCCESS, "release");
    check(goes(parts[0]), "the parent is gone");
}

static void fission(void)
{
    const cl_ulong second[] = {BY_NAMES_EXT, 1, (cl_ulong)-1, 0}, old[] = {BY_NAMES_EXT, 0, 0xFFFFFFFF, 0}, many[] = {BY_COUNTS_EXT, units, 1, 0, 0};
    const cl_ulong none[] = {BY_NAMES_EXT, units, (cl_ulong)-1, 0}, ways[] = {EQUALLY_EXT, 1, BY_COUNTS_EXT, 1, 0, 0};
    cl_uint count = 0;
    int numbers[2];
    check(create_ext(root, second, 1, parts, &count) == CL_SUCCESS && count == 1 && processors(numbers, 2) == 2, "a unit by its name");
    value(parts[0], STYLE_EXT, second, sizeof second);
    const property same[] = {BY_NAMES_INTEL, 1, -1, 0}, unknown[] = {BY_NAMES_INTEL, units, -1, 0}, twice[] = {BY_NAMES_INTEL, 0, 0, -1, 0};
    value(parts[0], CL_DEVICE_PARTITION_TYPE, same, sizeof same);
    execute(1, parts, NULL);
    check(retain_ext(parts[0]) == CL_SUCCESS && release_ext(parts[0]) == CL_SUCCESS && release_ext(parts[0]) == CL_SUCCESS, "references");
    check(release_ext(parts[0]) == CL_INVALID_DEVICE, "a part that is gone");
    check(create(same) == 1 && number(parts[0], CL_DEVICE_MAX_COMPUTE_UNITS) == 1, "a unit by its name, without the extension's function");
    value(parts[0], CL_DEVICE_PARTITION_TYPE, same, sizeof same);
    value(parts[0], STYLE_EXT, second, sizeof second);
    execute(1, parts, NULL);
    release(1);
    check(clCreateSubDevices(root, unknown, 1, parts, NULL) == CL_INVALID_VALUE, "a unit that is not there");
    check(clCreateSubDevices(root, twice, 1, parts, NULL) == CL_INVALID_VALUE, "a unit twice");
    check(create_ext(root, old, 1, parts, &count) == CL_SUCCESS && clReleaseDevice(parts[0]) == CL_SUCCESS, "the end of older headers");
    check(create_ext(root, many, 2, parts, &count) == INVALID_COUNT_EXT, "too many units");
    check(create_ext(root, none, 1, parts, &count) == INVALID_NAME_EXT, "a unit that is not there");
    check(create_ext(root, ways, 1, parts, &count) == CL_INVALID_VALUE, "two ways");
}

/* What a processor shares with others, as text; 0 stands for nodes of memory, other numbers for levels of data caches. */
static int shared_by(int processor, int level, char text[256])
{
    char path[300], kind[64], number[64];
    for (int i = 0; i < 64; i++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/%s%d", processor, level ? "cache/index" : "node", i);
        if (access(path, F_OK)) continue;
        sprintf(text, "%d", i);
        if (!level) return 1;
        const char *names[] = {"level", "type", "shared_cpu_list"};
        char *values[] = {number, kind, text};
        int found = 0;
        for (int at = 0; at < 3; at++) {
            snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cache/index%d/%s", processor, i, names[at]);
            FILE *file = fopen(path, "r");
            found += file && fgets(values[at], at == 2 ? 256 : 64, file) != NULL;
            if (file) fclose(file);
        }
        if (found == 3 && atoi(number) == level && strncmp(kind, "Instruction", 11)) return 1;
    }
    return 0;
}

/* The sizes of the groups of processors that share something, in the order of their first ones; their number. */
static cl_uint groups(int level, const int *numbers, cl_uint sizes[MOST])
{
    static char known[MOST][256], text[256];
    cl_uint count = 0;
    for (cl_uint i = 0; i < units; i++) {
        cl_uint at = 0;
        if (!shared_by(numbers[i], level, text)) return 0;
        while (at < count && strcmp(known[at], text)) at++;
        if (at == count) strcpy(known[count], text), sizes[count++] = 0;
        sizes[at]++;
    }
    return count;
}

/* Parts whose processors share a node of memory or a cache, compared with what the system tells. */
static void affinity(void)
{
    static int numbers[MOST];
    static cl_uint sizes[MOST];
    const int levels[] = {0, 4, 3, 2, 1};
    const cl_ulong names[] = {0x10, 4, 3, 2, 1};
    cl_ulong found, expected = 0, listed[6], count = 0, first = 0;
    property next[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
    cl_ulong next_ext[] = {BY_DOMAIN_EXT, 0x100, 0};
    cl_uint made;
    check(processors(numbers, MOST) >= (int)units, "processors");
    for (int i = 0; i < 5; i++) {
        property by[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 1 << i, 0};
        cl_ulong by_ext[] = {BY_DOMAIN_EXT, names[i], 0};
        cl_uint parts_there = groups(levels[i], numbers, sizes);
        if (parts_there < 2) {
            check(clCreateSubDevices(root, by, MOST, parts, NULL) == CL_INVALID_VALUE, "a domain that all processors share, or none");
            check(create_ext(root, by_ext, MOST, parts, NULL) == CL_INVALID_VALUE, "the same by the extension");
            continue;
        }
        first = first ? first : 1ul << i, expected |= 1ul << i, listed[count++] = names[i];
        check(create(by) == parts_there, "a part for each group");
        for (cl_uint at = 0; at < parts_there; at++) {
            check(number(parts[at], CL_DEVICE_MAX_COMPUTE_UNITS) == sizes[at] && parent(parts[at]) == root, "the processors of a group");
            value(parts[at], CL_DEVICE_PARTITION_TYPE, by, sizeof by);
            value(parts[at], STYLE_EXT, by_ext, sizeof by_ext);
            cl_int code = clCreateSubDevices(parts[at], by, 1, parts + parts_there, NULL);
            check(code == CL_DEVICE_PARTITION_FAILED, "a part of processors that share it");
        }
        execute(1, parts, NULL);
        if (sizes[0] == 1) check(clCreateSubDevices(parts[0], next, 1, parts + parts_there, NULL) == CL_DEVICE_PARTITION_FAILED, "one processor");
        release(parts_there);
    }
    property two[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 3, 0}, none[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 0, 0};
    check(clCreateSubDevices(root, two, MOST, parts, NULL) == CL_INVALID_VALUE, "two domains");
    check(clCreateSubDevices(root, none, MOST, parts, NULL) == CL_INVALID_VALUE, "no domain");
    check(clGetDeviceInfo(root, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof found, &found, NULL) == CL_SUCCESS, "domains");
    check(found == (expected ? expected | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE : 0), "the domains that some processors share");
    if (expected) listed[count++] = 0x100;
    value(root, AFFINITY_EXT, listed, count * sizeof *listed);
    const property ways[] = {CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, BY_NAMES_INTEL};
    const property fewer[] = {CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS, BY_NAMES_INTEL};
    const cl_ulong types[] = {EQUALLY_EXT, BY_COUNTS_EXT, BY_NAMES_EXT, BY_DOMAIN_EXT};
    value(root, CL_DEVICE_PARTITION_PROPERTIES, expected ? ways : fewer, expected ? sizeof ways : sizeof fewer);
    value(root, TYPES_EXT, types, expected ? sizeof types : 3 * sizeof *types);
    if (!expected) {
        check(clCreateSubDevices(root, next, MOST, parts, NULL) == CL_INVALID_VALUE, "no next domain");
        return;
    }
    made = create(next), next[1] = first;
    value(parts[0], CL_DEVICE_PARTITION_TYPE, next, sizeof next);
    release(made);
    check(create_ext(root, next_ext, MOST, parts, &made) == CL_SUCCESS && made > 1, "by the extension");
    value(parts[0], CL_DEVICE_PARTITION_TYPE, next, sizeof next);
    release(made);
}

static void mistakes(void)
{
    const property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0}, large[] = {CL_DEVICE_PARTITION_EQUALLY, units + 1, 0}, zero[] = {CL_DEVICE_PARTITION_EQUALLY, 0, 0};
    const property many[] = {CL_DEVICE_PARTITION_BY_COUNTS, units, 1, 0, 0}, negative[] = {CL_DEVICE_PARTITION_BY_COUNTS, -1, 0, 0}, none[] = {CL_DEVICE_PARTITION_BY_COUNTS, 0, 0};
    const property ways[] = {CL_DEVICE_PARTITION_EQUALLY, 1, CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    check(clCreateSubDevices(NULL, equally, MOST, parts, NULL) == CL_INVALID_DEVICE, "no device");
    check(clCreateSubDevices(root, NULL, MOST, parts, NULL) == CL_INVALID_VALUE, "no properties");
    check(clCreateSubDevices(root, equally, units - 1, parts, NULL) == CL_INVALID_VALUE, "no room");
    check(clCreateSubDevices(root, zero, MOST, parts, NULL) == CL_INVALID_VALUE, "no units");
    check(clCreateSubDevices(root, large, MOST, parts, NULL) == CL_DEVICE_PARTITION_FAILED, "larger than the device");
    check(clCreateSubDevices(root, many, MOST, parts, NULL) == CL_INVALID_DEVICE_PARTITION_COUNT, "too many units");
    check(clCreateSubDevices(root, negative, MOST, parts, NULL) == CL_INVALID_DEVICE_PARTITION_COUNT, "less than none");
    check(clCreateSubDevices(root, none, MOST, parts, NULL) == CL_INVALID_VALUE, "no parts");
    check(clCreateSubDevices(root, ways, MOST, parts, NULL) == CL_INVALID_VALUE, "two ways");
    check(clRetainDevice(root) == CL_SUCCESS && clReleaseDevice(root) == CL_SUCCESS && clReleaseDevice(root) == CL_SUCCESS, "the root");
    check(number(root, CL_DEVICE_REFERENCE_COUNT) == 1 && !parent(root), "the root");
}

int main(void)
{
    cl_platform_id platform;
    static char extensions[8192];
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS && clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &root, NULL) == CL_SUCCESS, "device");
    check(clGetDeviceInfo(root, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL) == CL_SUCCESS, "extensions");
    *(void **)&create_ext = clGetExtensionFunctionAddressForPlatform(platform, "clCreateSubDevicesEXT");
    *(void **)&retain_ext = clGetExtensionFunctionAddressForPlatform(platform, "clRetainDeviceEXT");
    *(void **)&release_ext = clGetExtensionFunctionAddressForPlatform(platform, "clReleaseDeviceEXT");
    check(create_ext && retain_ext && release_ext, "functions");
    units = number(root, CL_DEVICE_MAX_COMPUTE_UNITS);
    cl_uint most = number(root, CL_DEVICE_PARTITION_MAX_SUB_DEVICES);
    check(!strstr(extensions, "cl_ext_device_fission") == (most == 0), "the extension");
    check(!strstr(extensions, "cl_intel_device_partition_by_names") == (most == 0), "the extension of names");
    if (most == 0) {
        const property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
        value(root, CL_DEVICE_PARTITION_PROPERTIES, &(property){0}, sizeof(property));
        check(clCreateSubDevices(root, equally, MOST, parts, NULL) == CL_INVALID_VALUE, "a device without parts");
        const property next[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
        value(root, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, &(cl_ulong){0}, sizeof(cl_ulong));
        check(clCreateSubDevices(root, next, MOST, parts, NULL) == CL_INVALID_VALUE, "a device without domains");
        puts("none");
        return 0;
    }
    check(most == units && units > 1 && units < MOST - 1, "as many parts as units");
    equally();
    counts();
    fission();
    affinity();
    mistakes();
    puts("passed");
    return 0;
}
