import Foundation
import Portolan
public import PortolanFeatures
import PortolanGeo
public import PortolanPaint

/// What the lines and properties of a route tell about it.
public struct RouteFacts: Hashable, Sendable {
    /// What it is called.
    public let name: String
    /// How long it is in kilometres: what the route says, or else what its lines measure; `nil` where there is no line.
    public let kilometers: Double?
    /// How long it takes in minutes: what the route says, or else from its first time to its last; `nil` when nothing tells.
    public let minutes: Double?
    /// How many places of interest it has.
    public let placeCount: Int
    /// How high it goes, or `nil` where no altitudes are given.
    public let elevation: ElevationProfile?

    /// Looks at features, in degrees.
    ///
    /// - Parameter name: what the route is called where its features do not say.
    /// - Complexity: O(coordinates).
    public init(_ collection: FeatureCollection, name: String? = nil) {
        let lines = collection.features.filter(\.isLine), route = lines.lazy.compactMap(\.route).first
        self.name = name ?? Self.name(of: collection) ?? "Route"
        let measured = lines.reduce(0.0) { $0 + ($1.geometry?.groundLength ?? 0) } / 1000
        kilometers = lines.isEmpty ? nil : route?.distance ?? measured
        minutes = route?.duration ?? lines.lazy.compactMap(\.minutes).first
        placeCount = collection.withPlaces().features.count { $0.pointOfInterest != nil }
        elevation = lines.lazy.compactMap { ElevationProfile($0) }.first
    }

    /// What a route says that it is called, or `nil` when it does not say.
    static func name(of collection: FeatureCollection) -> String? {
        let lines = collection.features.lazy.filter(\.isLine)
        return lines.compactMap(\.route?.name).first ?? lines.compactMap(\.title).first
            ?? collection.foreignMembers["name"]?.displayText
    }

    /// A bar for the foot of a picture: the name, the length, the duration in hours and minutes, the places.
    public var infoBar: InfoBar {
        var facts: [String] = []
        if let kilometers { facts.append(String(format: kilometers < 100 ? "%.1f km" : "%.0f km", kilometers)) }
        if let minutes { facts.append(Self.hours(minutes)) }
        if let ascent = elevation?.ascent, ascent >= 1 { facts.append(String(format: "%.0f m up", ascent)) }
        if placeCount > 0 { facts.append(placeCount == 1 ? "1 place" : "\(placeCount) places") }
        return InfoBar(title: name, facts: facts)
    }

    /// A duration in hours and minutes, as `1:05 h`.
    public static func hours(_ minutes: Double) -> String {
        guard minutes.isFinite, minutes >= 0, minutes < 1e9 else { return "" }
        let whole = Int(minutes.rounded())
        return whole < 60 ? "\(whole) min" : "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60) h"
    }
}

/// How the height changes along a line.
public struct ElevationProfile: Hashable, Sendable {
    /// A point of the line.
    public struct Sample: Hashable, Sendable {
        /// How far along the line, in metres.
        public let distance: Double
        /// The height above the ellipsoid or the sea, as the file has it, in metres.
        public let altitude: Double
    }

    /// The points with a height, from the beginning of the line.
    public let samples: [Sample]
    /// The sum of all that goes up, in metres; ups and downs of less than three metres, which receivers make up, not counted.
    public let ascent: Double
    /// The sum of all that goes down, likewise.
    public let descent: Double

    /// The lowest and the highest point, in metres.
    public var range: ClosedRange<Double> {
        let altitudes = samples.map(\.altitude)
        return (altitudes.min() ?? 0)...(altitudes.max() ?? 0)
    }

    /// The profile of a line in degrees, or `nil` when fewer than two of its points have a height.
    ///
    /// - Complexity: O(coordinates).
    public init?(_ feature: Feature) {
        guard feature.isLine, let geometry = feature.geometry, !geometry.altitudes.isEmpty else { return nil }
        var samples: [Sample] = [], distance = 0.0
        for part in geometry.parts {
            for index in part.indices {
                if index > part.startIndex {
                    distance += Geodesic.line(from: part[index - 1], to: part[index]).meters
                }
                if let altitude = geometry.altitudes[index] {
                    samples.append(Sample(distance: distance, altitude: altitude))
                }
            }
        }
        guard samples.count > 1 else { return nil }
        self.samples = samples
        (ascent, descent) = Self.climbs(samples.map(\.altitude))
    }

    /// The sums of ups and downs between turns that are at least three metres apart.
    private static func climbs(_ altitudes: [Double]) -> (up: Double, down: Double) {
        var up = 0.0, down = 0.0, turn = altitudes[0]
        for altitude in altitudes.dropFirst() where abs(altitude - turn) >= 3 {
            if altitude > turn { up += altitude - turn } else { down += turn - altitude }
            turn = altitude
        }
        return (up, down)
    }
}

extension Feature {
    /// The minutes from the first time of its points to the last, or `nil` when there are none.
    fileprivate var minutes: Double? {
        let times = properties["coordinateProperties"]?.objectValue?["times"]?.arrayValue ?? []
        let all = times.flatMap { $0.arrayValue ?? [$0] }.lazy.compactMap(\.stringValue)
        guard let first = all.first.flatMap(Date.init(recorded:)),
            let last = all.reversed().first.flatMap(Date.init(recorded:)), last > first
        else { return nil }
        return last.timeIntervalSince(first) / 60
    }
}

extension Geometry {
    /// The length of its lines on the ground in metres, of coordinates in degrees.
    fileprivate var groundLength: Double {
        parts.reduce(0) { sum, part in
            zip(part, part.dropFirst()).reduce(sum) { $0 + Geodesic.line(from: $1.0, to: $1.1).meters }
        }
    }
}
