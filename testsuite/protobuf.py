# SPDX-License-Identifier: GPL-2.0
"""Reads messages of protocol buffers, independently of the C code that writes them. A schema is a
table: the JSON name of a field -> its number and its kind, which is one of the names in NUMBERS,
"text", "hex" (bytes), the schema of a message, or a list with one of these, for a repeated field. A field that is
in no table is an error."""
import struct

NUMBERS = {  # form, JSON has it as text, value of the varint or of eight bytes
    "int64": (0, True, lambda v: v - (1 << 64) if v >> 63 else v),
    "uint64": (0, True, int),
    "sint64": (0, True, lambda v: v >> 1 ^ -(v & 1)),
    "sint32": (0, False, lambda v: v >> 1 ^ -(v & 1)),
    "small": (0, False, int),
    "bool": (0, False, bool),
    "fixed64": (1, True, lambda b: struct.unpack("<Q", b)[0]),
    "sfixed64": (1, True, lambda b: struct.unpack("<q", b)[0]),
    "double": (1, False, lambda b: struct.unpack("<d", b)[0]),
}


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        at += 1
        if data[at - 1] < 0x80:
            return value, at
        shift += 7


def part(data, at, form):
    """The bytes or the varint at data[at], and where they end."""
    if form == 0:
        return varint(data, at)
    length, at = (8, at) if form == 1 else varint(data, at)
    if at + length > len(data):
        raise ValueError("a field that is cut off")
    return data[at:at + length], at + length


def convert(kind, value, as_json):
    if isinstance(kind, dict):
        return decode(kind, value, as_json)
    if kind == "text":
        return value.decode("utf-8")
    if kind == "hex":
        return value.hex()
    number = NUMBERS[kind][2](value)
    return str(number) if as_json and NUMBERS[kind][1] else number


def unpack(kind, data, as_json):
    at = 0
    while at < len(data):
        value, at = part(data, at, NUMBERS[kind][0])
        yield convert(kind, value, as_json)


def decode(schema, data, as_json=False):
    """A message as a dictionary; as_json: with integers of 64 bits as text. Repeated fields are
    always there."""
    fields = {number: (name, kind) for name, (number, kind) in schema.items()}
    ret = {name: [] for name, (number, kind) in schema.items() if isinstance(kind, list)}
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        value, at = part(data, at, tag & 7)
        name, kind = fields[tag >> 3]
        if not isinstance(kind, list):
            if name in ret:
                raise ValueError("twice: " + name)
            ret[name] = convert(kind, value, as_json)
        elif isinstance(kind[0], str) and kind[0] in NUMBERS and tag & 7 == 2:
            ret[name].extend(unpack(kind[0], value, as_json))
        else:
            ret[name].append(convert(kind[0], value, as_json))
    return ret


# ---- OTLP ----

ATTRIBUTES = [{"key": (1, "text"),
               "value": (2, {"stringValue": (1, "text"), "intValue": (3, "int64"),
                             "doubleValue": (4, "double")})}]
TIMES = {"startTimeUnixNano": (2, "fixed64"), "timeUnixNano": (3, "fixed64")}
NUMBER = dict(TIMES, asDouble=(4, "double"), asInt=(6, "sfixed64"), attributes=(7, ATTRIBUTES))
COUNT = dict(TIMES, count=(4, "fixed64"), sum=(5, "double"))
HISTOGRAM = dict(COUNT, bucketCounts=(6, ["fixed64"]), explicitBounds=(7, ["double"]),
                 attributes=(9, ATTRIBUTES), min=(11, "double"), max=(12, "double"))
BUCKETS = {"offset": (1, "sint32"), "bucketCounts": (2, ["uint64"])}
EXPONENTIAL = dict(COUNT, attributes=(1, ATTRIBUTES), scale=(6, "sint32"),
                   zeroCount=(7, "fixed64"), positive=(8, BUCKETS), negative=(9, BUCKETS),
                   min=(12, "double"), max=(13, "double"))


def points(kind):
    return {"dataPoints": (1, [kind]), "aggregationTemporality": (2, "small")}


METRIC = {
    "name": (1, "text"), "description": (2, "text"), "unit": (3, "text"),
    "gauge": (5, {"dataPoints": (1, [NUMBER])}),
    "sum": (7, dict(points(NUMBER), isMonotonic=(3, "bool"))),
    "histogram": (9, points(HISTOGRAM)),
    "exponentialHistogram": (10, points(EXPONENTIAL)),
}
SCOPE_METRICS = {"scope": (1, {"name": (1, "text"), "version": (2, "text")}),
                 "metrics": (2, [METRIC])}
LOG = {"timeUnixNano": (1, "fixed64"), "severityNumber": (2, "small"),
       "body": (5, {"stringValue": (1, "text")}), "attributes": (6, ATTRIBUTES),
       "traceId": (9, "hex"), "spanId": (10, "hex")}
SPAN = {"traceId": (1, "hex"), "spanId": (2, "hex"), "parentSpanId": (4, "hex"),
        "name": (5, "text"), "kind": (6, "small"), "startTimeUnixNano": (7, "fixed64"),
        "endTimeUnixNano": (8, "fixed64"), "attributes": (9, ATTRIBUTES)}


def request(resources, scopes, items, item):
    scope = {"scope": (1, {"name": (1, "text"), "version": (2, "text")}), items: (2, [item])}
    return {resources: (1, [{"resource": (1, {"attributes": (1, ATTRIBUTES)}),
                             scopes: (2, [scope])}])}


LOGS = request("resourceLogs", "scopeLogs", "logRecords", LOG)
SPANS_OF_TRACES = request("resourceSpans", "scopeSpans", "spans", SPAN)
REQUEST = {"resourceMetrics": (1, [{"resource": (1, {"attributes": (1, ATTRIBUTES)}),
                                    "scopeMetrics": (2, [SCOPE_METRICS])}])}

# ---- Prometheus ----

SPANS = [{"offset": (1, "sint32"), "length": (2, "small")}]
AGGREGATE = {"count": (1, "uint64"), "sum": (2, "double")}
NATIVE = dict(AGGREGATE, bucket=(3, [{"sum": (1, "uint64"), "bound": (2, "double")}]),
              schema=(5, "sint32"), zeroCount=(7, "uint64"),
              negativeSpan=(9, SPANS), negativeDelta=(10, ["sint64"]),
              positiveSpan=(12, SPANS), positiveDelta=(13, ["sint64"]))
VALUE = {"value": (1, "double")}
FAMILY = {
    "name": (1, "text"), "help": (2, "text"), "type": (3, "small"),
    "metric": (4, [{"label": (1, [{"name": (1, "text"), "value": (2, "text")}]),
                    "gauge": (2, VALUE), "counter": (3, VALUE), "summary": (4, AGGREGATE),
                    "histogram": (7, NATIVE)}]),
}


def families(data):
    """The metrics of an answer to Prometheus, by name."""
    ret, at = {}, 0
    while at < len(data):
        length, at = varint(data, at)
        family = decode(FAMILY, data[at:at + length])
        at += length
        if family["name"] in ret:
            raise ValueError("twice: " + family["name"])
        ret[family["name"]] = family
    return ret


def native_counts(histogram):
    """{index: count} of both signs of a native histogram; a negative index has the tag "-"."""
    ret = {0: histogram["zeroCount"]} if histogram["zeroCount"] else {}
    for sign in "negative", "positive":
        deltas = iter(histogram[sign + "Delta"])
        index = count = 0
        for span in histogram[sign + "Span"]:
            index += span["offset"]
            for index in range(index, index + span["length"]):
                count += next(deltas)
                if count:
                    ret[sign, index] = count
            index += 1
        if next(deltas, None) is not None:
            raise ValueError("more counts than spans")
    return ret
