import PortolanFeatures

extension MapDocument.Furniture {
    /// The elevation profile below a map, as described in a map document.
    ///
    /// ```json
    /// {"furniture": {"profile": true}, "layers": [{"source": "hike.gpx"}]}
    /// ```
    public struct Profile: Hashable, Sendable {
        /// The name of the layer with the line, or `nil` for the topmost one with elevations.
        public var layer: String?
        /// Whether the profile is coloured by slope.
        public var showsSlopes: Bool

        /// Creates a profile of the topmost line with elevations, unless stated otherwise.
        public init(layer: String? = nil, showsSlopes: Bool = false) {
            self.layer = layer
            self.showsSlopes = showsSlopes
        }

        /// The description of a valid value.
        static let wanted = "true, false or an object with layer and slopes"

        /// Reads the value of a map document, or returns `nil` for an invalid one.
        init?(_ value: PropertyValue) {
            self.init()
            if value == .bool(true) { return }
            guard let members = value.objectValue else { return nil }
            for member in members {
                switch (member.name, member.value) {
                case ("layer", .string(let name)): layer = name
                case ("slopes", .bool(let flag)): showsSlopes = flag
                default: return nil
                }
            }
        }

        /// The value in a map document.
        var value: PropertyValue {
            var members: Properties = [:]
            members["layer"] = layer.map { .string($0) }
            if showsSlopes { members["slopes"] = true }
            return members.isEmpty ? true : .object(members)
        }
    }
}
