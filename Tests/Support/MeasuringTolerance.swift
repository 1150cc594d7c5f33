/// The tolerance of ground measurements relative to GeographicLib, which computes them with the trait `Drivers`;
/// otherwise a series does.
package enum MeasuringTolerance {
    #if Drivers
    package static let meters = 1e-5
    private static let share = 1e-12
    #else
    package static let meters = 1e-3
    private static let share = 1e-6
    #endif

    /// The tolerance of an area in square metres.
    package static func squareMeters(of area: Double) -> Double { area * share }
}
