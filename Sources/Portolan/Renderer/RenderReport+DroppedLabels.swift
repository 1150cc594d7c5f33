import PortolanPaint

extension RenderReport {
    /// The labels of a layer that are not drawn, by reason.
    ///
    /// Line labels that are drawn elsewhere along their line, and duplicates of a nearby label, are not counted.
    public struct DroppedLabels: Hashable, Sendable, Codable {
        /// Labels whose positions are all occupied by other labels, markers or furniture.
        public internal(set) var collision: Int
        /// Labels whose line or area is too small.
        public internal(set) var noRoom: Int
        /// Labels that exceed the memory budget.
        public internal(set) var memory: Int
        /// Points that are left out with their labels, as these are decluttered.
        ///
        /// See ``/PortolanFeatures/LabelSymbol/declutters``. Their labels, if they have any, are also counted as collisions.
        public internal(set) var omittedPoints: Int
        /// Points that are drawn without their labels; decluttering would leave out both.
        public internal(set) var unnamedPoints: Int
        /// The texts of up to ten dropped labels, those with the highest priority first.
        public internal(set) var names: [String]

        /// The total number of dropped labels.
        public var count: Int { collision + noRoom + memory }

        init?(_ losses: LabelLosses?) {
            guard let losses, losses.count > 0 || losses.omittedPoints > 0 else { return nil }
            collision = losses.collided
            noRoom = losses.lackingRoom
            memory = losses.unset
            omittedPoints = losses.omittedPoints
            unnamedPoints = losses.unnamedPoints
            names = losses.names
        }
    }
}
