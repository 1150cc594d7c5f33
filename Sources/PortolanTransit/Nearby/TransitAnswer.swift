import Foundation
import PortolanFeatures
import PortolanGeo
import PortolanRouting

/// Parsing of values that the responses of both OpenTripPlanner versions share.
enum TransitAnswer {
    /// The maximum number of arrivals to request.
    static let maximumArrivalCount = 100

    /// Returns whole seconds after 1970-01-01.
    static func seconds(_ time: Date) -> Int { Int(min(max(time.timeIntervalSince1970, 0), 1e11)) }

    /// Returns the coordinate of a latitude and a longitude, or `nil` if it is not on the earth.
    static func place(_ latitude: PropertyValue?, _ longitude: PropertyValue?) -> Coordinate? {
        guard let latitude = latitude?.doubleValue, let longitude = longitude?.doubleValue else { return nil }
        let place = Coordinate(x: longitude, y: latitude)
        return place.isOnEarth ? place : nil
    }

    /// Returns the date of a service day (seconds after 1970-01-01) and seconds within it, which may exceed 24 hours.
    static func date(_ day: PropertyValue?, _ seconds: PropertyValue?) -> Date? {
        guard let day = day?.doubleValue, let seconds = seconds?.doubleValue, (0..<1e11).contains(day),
            (-1e6..<1e7).contains(seconds)
        else { return nil }
        return Date(timeIntervalSince1970: day + seconds)
    }

    /// Returns whether a trip or a stop of it is cancelled.
    static func isCanceled(_ state: PropertyValue?) -> Bool {
        ["CANCELED", "CANCELLED", "DELETED"].contains(state?.stringValue)
    }

    /// Parses a colour with six hexadecimal digits.
    static func color(_ value: PropertyValue?) -> UInt32? {
        guard let text = value?.stringValue, text.utf8.count == 6, !text.hasPrefix("+") else { return nil }
        return UInt32(text, radix: 16)
    }

    /// Parses an OpenTripPlanner mode.
    static func mode(_ value: PropertyValue?) -> TransitMode? {
        guard let name = value?.stringValue else { return nil }
        return switch name {
        case "TRAM": .tram
        case "SUBWAY": .subway
        case "RAIL": .rail
        case "BUS": .bus
        case "FERRY": .ferry
        case "CABLE_CAR": .cableTram
        case "GONDOLA": .aerialLift
        case "FUNICULAR": .funicular
        case "TROLLEYBUS": .trolleybus
        case "MONORAIL": .monorail
        case "COACH": .coach
        case "AIRPLANE": .air
        case "TAXI": .taxi
        default: .other
        }
    }
}

extension Double {
    /// Returns a valid search radius, or throws if the centre or the radius is invalid.
    func checked(_ center: Coordinate) throws(StopFinderError) -> Double {
        guard center.isOnEarth, self >= 0, self <= 1e7 else { throw .invalidPlace }
        return self
    }
}
