public import Foundation
public import PortolanPaint
public import PortolanTransit

extension Notice {
    /// A banner of the notices of service that hold at a time: the words of what matters most, and how many others there are;
    /// `nil` where none holds.
    ///
    /// - Parameter languages: in which to read them, those liked most first (BCP 47).
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
