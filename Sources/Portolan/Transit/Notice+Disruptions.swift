public import Foundation
public import PortolanPaint
public import PortolanTransit

extension Notice {
    /// A banner of the notices of service that hold at a time: the words of what matters most, and how many others there are;
    /// `nil` where none holds.
    ///
    /// - Parameter languages: in which to read them, those liked most first (BCP 47).
    public init?(_ disruptions: [Disruption], at time: Date, languages: [String] = ["en"]) {
        let holding = disruptions.filter { $0.holds(at: time) }
            .compactMap { disruption in Self.text(of: disruption, in: languages).map { (disruption, $0) } }
        // Of those that matter alike the first that was told.
        guard let first = holding.enumerated().max(by: { Self.rank($0) < Self.rank($1) })?.element else { return nil }
        let others = holding.count - 1
        self.init(others > 0 ? "\(first.1)  (+\(others))" : first.1, level: Self.level(of: first.0))
    }

    private static func rank(_ entry: (offset: Int, element: (Disruption, String))) -> (Int, Int) {
        (level(of: entry.element.0).rank, -entry.offset)
    }

    private static func text(of disruption: Disruption, in languages: [String]) -> String? {
        let title = Disruption.text(disruption.title, in: languages).flatMap { $0.isEmpty ? nil : $0 }
        return title ?? Disruption.text(disruption.text, in: languages).flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func level(of disruption: Disruption) -> Level {
        switch (disruption.severity, disruption.effect) {
        case (.severe, _), (.unknown, .noService): .severe
        case (.information, _), (.unknown, .noEffect), (.unknown, .additionalService): .information
        default: .warning
        }
    }
}

extension Notice.Level {
    fileprivate var rank: Int {
        switch self {
        case .information: 0
        case .warning: 1
        case .severe: 2
        }
    }
}
