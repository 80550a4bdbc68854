// Reads a stored npz as small C++ readers do: one local header after the other, sizes and names from there, then the
// header of each npy. It prints a line an array: name, descr, shape, sum of the elements, first element.
// Anything that such readers do not take ends it with a message and status 1.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using Bytes = std::vector<char>;

[[noreturn]] void fail(const std::string& name, const char* reason) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), reason);
    std::exit(1);
}

template <typename T>
T number(const Bytes& data, std::size_t at) {
    T value;
    if (at + sizeof value > data.size()) fail("file", "cut");
    std::memcpy(&value, &data[at], sizeof value);
    return value;
}

// What stands behind `key` in the header, up to `end`.
std::string field(const std::string& header, const std::string& key, const std::string& end) {
    std::size_t at = header.find(key);
    if (at == std::string::npos) fail(header, "a key is missing");
    at += key.size();
    return header.substr(at, header.find(end, at) - at);
}

template <typename T>
void elements(const Bytes& data, std::size_t at, std::size_t count) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += static_cast<double>(number<T>(data, at + i * sizeof(T)));
    std::printf(" sum %.10g first %.10g", sum, count ? static_cast<double>(number<T>(data, at)) : 0.0);
}

// The elements of an array; gives the bytes that they take.
std::size_t values(const Bytes& data, std::size_t at, std::size_t count, const std::string& descr) {
    const std::string kind = descr.substr(1);
    if (kind == "f8") elements<double>(data, at, count);
    else if (kind == "f4") elements<float>(data, at, count);
    else if (kind == "i8") elements<std::int64_t>(data, at, count);
    else if (kind == "i4") elements<std::int32_t>(data, at, count);
    else if (kind == "i2") elements<std::int16_t>(data, at, count);
    else if (kind == "i1") elements<std::int8_t>(data, at, count);
    else if (kind == "u8") elements<std::uint64_t>(data, at, count);
    else if (kind == "u4") elements<std::uint32_t>(data, at, count);
    else if (kind == "u2" || kind == "f2") elements<std::uint16_t>(data, at, count);
    else if (kind == "u1" || kind == "b1") elements<std::uint8_t>(data, at, count);
    else if (kind == "c8") elements<float>(data, at, 2 * count);
    else if (kind == "c16") elements<double>(data, at, 2 * count);
    else fail(descr, "unknown type");
    return count * static_cast<std::size_t>(std::atoi(kind.c_str() + 1));
}

// One npy of `size` bytes.
void array(const Bytes& data, std::size_t at, std::size_t size, const std::string& name) {
    if (std::memcmp(&data[at], "\x93NUMPY\x01\x00", 8) != 0) fail(name, "no npy of version 1.0");
    const std::size_t length = number<std::uint16_t>(data, at + 8);
    const std::string header(&data[at + 10], length);
    if ((10 + length) % 16 != 0 || header.back() != '\n') fail(name, "the header is not aligned");
    const std::string descr = field(header, "'descr': '", "'");
    if (descr[0] != '<' && descr[0] != '|') fail(name, "not little-endian");
    if (field(header, "'fortran_order': ", ",") != "False") fail(name, "not in C order");
    const std::string shape = field(header, "'shape': (", ")");
    std::size_t count = 1;
    for (const char* text = shape.c_str(); *text != '\0';) {
        char* end;
        count *= std::strtoul(text, &end, 10);
        for (text = end; *text == ',' || *text == ' ';) ++text;
    }
    std::printf("%s %s (%s)", name.c_str(), descr.c_str(), shape.c_str());
    if (10 + length + values(data, at + 10 + length, count, descr) != size) fail(name, "another size than its shape");
    std::printf("\n");
}

int main(int count, char** arguments) {
    if (count != 2) fail("npz_reader", "takes one file");
    std::ifstream file(arguments[1], std::ios::binary);
    const Bytes data((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::size_t at = 0;
    while (number<std::uint32_t>(data, at) == 0x04034B50) {
        const std::size_t name_length = number<std::uint16_t>(data, at + 26);
        const std::size_t extra_length = number<std::uint16_t>(data, at + 28);
        const std::string name(&data[at + 30], name_length);
        if (number<std::uint16_t>(data, at + 6) & 8) fail(name, "a descriptor follows");
        if (number<std::uint16_t>(data, at + 8) != 0) fail(name, "not stored");
        const std::size_t size = number<std::uint32_t>(data, at + 18);
        if (size != number<std::uint32_t>(data, at + 22) || size == 0xFFFFFFFF) fail(name, "no plain size");
        if (name.size() < 4 || name.substr(name.size() - 4) != ".npy") fail(name, "no array");
        at += 30 + name_length + extra_length;
        array(data, at, size, name.substr(0, name.size() - 4));
        at += size;
    }
    return 0;
}
