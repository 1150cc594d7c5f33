public import Foundation
public import PortolanPaint
public import PortolanTransit

extension Furniture.Notice {
    /// Creates a banner with the most important active alert and the number of others, or returns `nil` if no alert is
    /// active.
    ///
    /// - Parameter languages: the preferred languages, best first (BCP 47).
    public init?(_ disruptions: [Disruption], at time: Date, languages: [String] = ["en"]) {
        let holding = Disruption.holding(among: disruptions, at: time)
            .compactMap { disruption in disruption.words(in: languages).map { (disruption, $0) } }
        guard let first = holding.first else { return nil }
        let others = holding.count - 1
        let level: Level =
            switch first.0.importance {
            case .severe: .severe
            case .information: .information
            case .warning, .unknown: .warning
            }
        self.init(others > 0 ? "\(first.1)  (+\(others))" : first.1, level: level)
    }
}
