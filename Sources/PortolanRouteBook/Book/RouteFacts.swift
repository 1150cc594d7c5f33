import Foundation
import Portolan
public import PortolanFeatures
import PortolanGeo
public import PortolanPaint
import PortolanWeb

/// The facts derived from the lines and properties of a route.
public struct RouteFacts: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The length in kilometres as given by the route or measured along its lines, or `nil` if there are no lines.
    public let kilometers: Double?
    /// The duration in minutes as given by the route or between its first and last time, or `nil` if it is unknown.
    public let minutes: Double?
    /// The number of places of interest.
    public let placeCount: Int
    /// The elevation profile, or `nil` if there are no altitudes.
    public let elevation: RouteFacts.ElevationProfile?

    /// Creates the facts of features in degrees.
    ///
    /// - Parameter name: the name of the route, or `nil` to use the one in the features.
    /// - Complexity: O(coordinates).
    public init(_ collection: FeatureCollection, name: String? = nil) {
        let lines = collection.features.filter(\.isLine), route = lines.lazy.compactMap(\.route).first
        self.name = name ?? Self.name(of: collection) ?? "Route"
        let measured = lines.reduce(0.0) { $0 + ($1.geometry?.groundLength ?? 0) } / 1000
        kilometers = lines.isEmpty ? nil : route?.distance ?? measured
        minutes = route?.duration ?? lines.lazy.compactMap(\.minutes).first
        placeCount = collection.withPlaces().features.count { $0.pointOfInterest != nil }
        elevation = lines.lazy.compactMap { RouteFacts.ElevationProfile($0) }.first
    }

    /// Returns the name in the features of a route, or `nil`.
    static func name(of collection: FeatureCollection) -> String? {
        let lines = collection.features.lazy.filter(\.isLine)
        return lines.compactMap(\.route?.name).first ?? lines.compactMap(\.title).first
            ?? collection.foreignMembers["name"]?.displayText
    }

    /// An info bar with name, length, duration, ascent and number of places.
    public var infoBar: Furniture.InfoBar {
        var facts: [String] = []
        if let kilometers { facts.append(String(format: kilometers < 100 ? "%.1f km" : "%.0f km", kilometers)) }
        if let minutes { facts.append(Self.hours(minutes)) }
        if let ascent = elevation?.ascent, ascent >= 1 { facts.append(String(format: "%.0f m up", ascent)) }
        if placeCount > 0 { facts.append(PhraseText.counted(placeCount, "place|places")) }
        return Furniture.InfoBar(title: name, facts: facts)
    }

    /// Formats a duration in hours and minutes, such as `1:05 h`.
    public static func hours(_ minutes: Double) -> String {
        guard minutes.isFinite, minutes >= 0, minutes < 1e9 else { return "" }
        let whole = Int(minutes.rounded())
        return whole < 60 ? "\(whole) min" : "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60) h"
    }
}

extension RouteFacts {
    /// The elevation profile of a line.
    public typealias ElevationProfile = PortolanFeatures.ElevationProfile
}

extension Feature {
    /// The minutes between the first and the last time of the points, or `nil` without times.
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
    /// The total length of the lines in metres, for coordinates in degrees.
    fileprivate var groundLength: Double {
        parts.reduce(0) { sum, part in
            zip(part, part.dropFirst()).reduce(sum) { $0 + Geodesic.line(from: $1.0, to: $1.1).meters }
        }
    }
}
