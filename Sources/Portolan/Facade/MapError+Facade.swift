import PortolanWeb

/// Errors of the facade.
extension MapError {
    /// Returns the error for an existing layer name.
    package static func duplicateLayer(_ name: String) -> MapError {
        MapError(.duplicate, "the map already has a layer named '\(name)'")
    }

    /// Returns the error for the name of the vector layer, the mask or the position.
    package static func reservedName(_ name: String) -> MapError {
        MapError(.reservedName, "the layer name '\(name)' is reserved")
    }

    /// Returns the error for an unknown layer name.
    package static func noSuchLayer(_ name: String, among names: [String] = []) -> MapError {
        MapError(
            .unknownName, "no layer named '\(name)' in the map",
            suggestions: near(name, among: names))
    }

    /// Returns the error for an unknown group name.
    package static func noSuchGroup(_ name: String, among names: [String] = []) -> MapError {
        MapError(
            .unknownName, "no layer group named '\(name)' in the map",
            suggestions: near(name, among: names))
    }

    /// Returns the most similar name.
    ///
    /// Names of one or two characters are excluded because they are all similar.
    private static func near(_ name: String, among names: [String]) -> [String] {
        guard name.count > 2 else { return [] }
        return [NearName.nearest(to: name, in: names.filter { $0 != name })].compactMap(\.self)
    }

    /// Returns the error for an existing group name.
    package static func duplicateGroup(_ name: String) -> MapError {
        MapError(.duplicate, "the map already has a layer group named '\(name)'")
    }

    /// Returns the error for an unknown feature identifier.
    package static func noSuchFeature(_ id: String) -> MapError {
        MapError(.unknownName, "no feature with the identifier '\(id)' in the map")
    }

    /// The error if there are no features to navigate to.
    package static let noFeatures = MapError(.nothingFound, "no features in the map to show")

    /// Returns the error for a layer whose coordinates are not valid degrees.
    package static func notDegrees(layer: String) -> MapError {
        MapError(
            .malformedDocument,
            "the coordinates of layer '\(layer)' are not degrees, and its document names no CRS")
    }

    /// Returns the error for tile levels or a tile size out of range.
    package static func notTiled(_ name: String) -> MapError {
        MapError(
            .invalidArgument,
            "the tiles of layer '\(name)' must have levels from 0 to 30 and a size from 1 to 4096 pixels")
    }

    /// Returns the error for coordinates outside the area that the map's CRS can show.
    package static func outsideMap(_ crs: String) -> MapError {
        MapError(.outsideMap, "the coordinate is outside the area of \(crs)")
    }

    /// Returns the error for an extent in degrees instead of units of the map's CRS.
    package static func degrees(_ crs: String) -> MapError {
        MapError(
            .invalidArgument, "the extent looks like degrees, but the map is in \(crs)",
            remedy: "pass its CRS, or use show(west:south:east:north:)")
    }

    /// Returns the error for a service that did not answer in time.
    package static func timedOut(_ address: String, after time: Duration) -> MapError {
        var error = MapError.layer(.deadline(time), source: address)
        error.remedy = "raise options.deadline for a slow server"
        return error
    }
}
