"""Makes every-field.pb, skipped.pb and added-trips.pb with their JSON, by the published bindings of GTFS Realtime (gtfs-realtime-bindings)."""
from google.transit import gtfs_realtime_pb2 as rt
from google.protobuf import json_format

def trip(t, relationship):
    t.trip_id, t.route_id, t.direction_id = "trip-1", "1009", 1
    t.start_time, t.start_date, t.schedule_relationship = "25:15:00", "20261123", relationship

def texts(t, *pairs):
    for text, language in pairs:
        one = t.translation.add(text=text)
        if language: one.language = language

m = rt.FeedMessage()
m.header.gtfs_realtime_version, m.header.incrementality = "2.0", 1
m.header.timestamp, m.header.feed_version = 1795271160, "2026-11-23"
v = m.entity.add(id="v").vehicle
trip(v.trip, rt.TripDescriptor.SCHEDULED)
p = v.position
p.latitude, p.longitude, p.bearing, p.odometer, p.speed = 60.170413, -24.942335, 359.5, 123456.789, 0.0
v.current_stop_sequence, v.stop_id, v.current_status, v.timestamp = 4294967295, "1173433", 1, 1795271158
v.congestion_level, v.occupancy_status, v.occupancy_percentage = 4, 8, 110
d = v.vehicle
d.id, d.label, d.license_plate, d.wheelchair_accessible = "RHKL00239", "9", "ABC-123", 2
c = v.multi_carriage_details.add()
c.id, c.label, c.occupancy_status, c.occupancy_percentage, c.carriage_sequence = "c1", "A", 6, -1, 1
v.multi_carriage_details.add()
u = m.entity.add(id="u").trip_update
trip(u.trip, rt.TripDescriptor.DUPLICATED)
u.vehicle.id, u.timestamp, u.delay = "RHKL00239", 1795271159, -45
s = u.stop_time_update.add()
s.stop_sequence, s.stop_id, s.schedule_relationship, s.departure_occupancy_status = 1, "a", 0, 3
s.arrival.delay, s.arrival.time, s.arrival.uncertainty, s.arrival.scheduled_time = -2147483648, -1, 0, 1795271100
s.departure.time = 9007199254740993
s.stop_time_properties.assigned_stop_id, s.stop_time_properties.stop_headsign = "b", "Töölö"
s.stop_time_properties.pickup_type, s.stop_time_properties.drop_off_type = 1, 3
for relationship in (1, 2, 3): u.stop_time_update.add(stop_sequence=relationship + 1, schedule_relationship=relationship)
t = u.trip_properties
t.trip_id, t.start_date, t.start_time = "trip-2", "20261124", "00:10:00"
t.shape_id, t.trip_headsign, t.trip_short_name = "s", "Pasila", "9X"
a = m.entity.add(id="a").alert
a.active_period.add(start=1, end=18446744073709551615); a.active_period.add(); a.active_period.add(start=5)
e = a.informed_entity.add(agency_id="HSL", route_id="1009", route_type=0, stop_id="s", direction_id=1)
trip(e.trip, rt.TripDescriptor.CANCELED)
a.informed_entity.add(route_type=-1)
a.cause, a.effect, a.severity_level = 13, 11, 4
texts(a.url, ("https://example.org/fi", "fi"), ("https://example.org", None))
texts(a.header_text, ("Poikkeus", "fi"), ("Change", "en"))
texts(a.description_text, ("", "sv"), ("日本語 🚋", "ja"))
texts(a.tts_header_text, ("Change", "en")); texts(a.tts_description_text, ("Change", "en"))
texts(a.cause_detail, ("Marathon", "en")); texts(a.effect_detail, ("Lift", "en"))
m.entity.add(id="gone", is_deleted=True)
open("every-field.pb", "wb").write(m.SerializeToString(deterministic=True))
open("every-field.json", "w").write(json_format.MessageToJson(m, ensure_ascii=False, indent=1))

# The same for what is skipped: other kinds of entities, and fields of no number that is known.
m = rt.FeedMessage()
m.header.gtfs_realtime_version = "2.0"
m.entity.add(id="shape").shape.encoded_polyline = "_p~iF~ps|U"
m.entity.add(id="stop").stop.stop_id = "1"
m.entity.add(id="modified").trip_modifications.start_times.append("08:00:00")
v = m.entity.add(id="v").vehicle
v.vehicle.id = "1"
body = m.SerializeToString()
varint = bytes([0xC0, 0x3E, 0x96, 0x01])                    # 1000: varint
fixed = bytes([0xC9, 0x3E]) + bytes(8) + bytes([0xD5, 0x3E]) + bytes(4)   # 1001: 64 bits, 1002: 32 bits
text = bytes([0xC2, 0xB2, 0x04, 0x03]) + b"abc"             # 9000: bytes
group = bytes([0xDB, 0x3E, 0x0B, 0x08, 0x01, 0x0C, 0x12, 0x01, 0x00, 0xDC, 0x3E])   # 1003: a group in a group
m2 = rt.FeedMessage(); m2.ParseFromString(body + varint + fixed + text + group)
open("skipped.pb", "wb").write(body + varint + fixed + text + group)
open("skipped.json", "w").write(json_format.MessageToJson(m2, ensure_ascii=False, indent=1))

# Trips beside the timetable, on the stops of the small feed of the tests.
from datetime import datetime, timedelta, timezone
m = rt.FeedMessage()
m.header.gtfs_realtime_version, m.header.timestamp = "2.0", 1795413600
def clock(text):
    hour, minute = map(int, text.split(":"))
    return int(datetime(2026, 11, 23, hour, minute, tzinfo=timezone(timedelta(hours=2))).timestamp())
def added(id, relationship, route, *stops):
    u = m.entity.add(id=id).trip_update
    u.trip.trip_id, u.trip.route_id, u.trip.start_date = id, route, "20261123"
    u.trip.schedule_relationship = relationship
    for number, (stop, arrival, departure) in enumerate(stops):
        s = u.stop_time_update.add(stop_sequence=number + 1, stop_id=stop)
        if arrival: s.arrival.time = clock(arrival)
        if departure: s.departure.time = clock(departure)
    return u
NEW = rt.TripDescriptor.ScheduleRelationship.Value("NEW")
u = added("extra-1", NEW, "r9", ("s1", None, "8:30"), ("s2", "8:38", "8:39"), ("s9", "8:42", None), ("s3", "8:48", None))
u.trip_properties.trip_headsign = "Hakaniemi"
added("extra-2", rt.TripDescriptor.ADDED, "r9", ("s2", None, "8:05"), ("s4", "8:12", None))
u = m.entity.add(id="copy").trip_update
u.trip.trip_id, u.trip.schedule_relationship = "t1", rt.TripDescriptor.DUPLICATED
u.trip_properties.trip_id, u.trip_properties.start_date, u.trip_properties.start_time = "t1-copy", "20261123", "08:45:00"
u.stop_time_update.add(stop_id="s2").arrival.delay = 120
added("other-line", NEW, "r77", ("s1", None, "8:30"), ("s2", "8:38", None))
added("backwards", NEW, "r9", ("s1", None, "8:30"), ("s2", "8:20", None))
added("nowhere", NEW, "r9", ("x1", None, "8:30"), ("x2", "8:40", None))
open("added-trips.pb", "wb").write(m.SerializeToString(deterministic=True))
open("added-trips.json", "w").write(json_format.MessageToJson(m, ensure_ascii=False, indent=1))
