import PortolanRaster
import PortolanTransit

/// The lines of a timetable with the same mode and colour, which a legend explains by one sample.
struct LineGroup: Hashable, Sendable {
    /// The mode of the lines.
    let mode: TransitMode
    /// The colour of the lines, or `nil` if the lines of the mode have too many colours for a legend.
    let color: MapColor?
    /// The title for legends, such as "Tram 1, 2, 3".
    let title: String

    /// The largest number of groups that are distinguished by colour.
    private static let colorLimit = 12
    /// The largest number of characters of a title with the names of lines.
    private static let titleLimit = 40

    private init(_ mode: TransitMode, _ color: MapColor?, _ lines: [Timetable.Line], isWholeMode: Bool) {
        self.mode = mode
        self.color = color
        var names: [String] = []
        for line in lines where !names.contains(line.badge) { names.append(line.badge) }
        names.sort { LineNumber($0) < LineNumber($1) }
        let all = "\(mode.title) \(names.joined(separator: ", "))"
        guard all.count > Self.titleLimit else {
            title = all
            return
        }
        var some = ""
        for name in names where some.isEmpty || mode.title.count + some.count + name.count + 4 <= Self.titleLimit {
            some += some.isEmpty ? name : ", \(name)"
        }
        title = isWholeMode ? mode.title : "\(mode.title) \(some.prefix(Self.titleLimit)), …"
    }

    /// Returns the groups of lines, those with the most lines first.
    ///
    /// - Parameter wanted: the identifiers of the lines to include, or `nil` for all.
    static func groups(of timetable: Timetable, lines wanted: Set<String>?) -> [LineGroup] {
        struct Key: Hashable {
            let mode: TransitMode
            let color: MapColor?
        }
        let lines = timetable.lines.filter { wanted?.contains($0.id) ?? true }
        let colorCount = Set(lines.map { Key(mode: $0.mode, color: $0.drawnColor) }).count
        var groups: [Key: [Timetable.Line]] = [:], order: [Key] = []
        for line in lines {
            let key = Key(mode: line.mode, color: colorCount > colorLimit ? nil : line.drawnColor)
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(line)
        }
        return order.enumerated().map { (offset: $0, key: $1, lines: groups[$1] ?? []) }
            .sorted { ($1.lines.count, $0.offset) < ($0.lines.count, $1.offset) }
            .map { group in
                LineGroup(
                    group.key.mode, group.key.color, group.lines,
                    isWholeMode: order.count { $0.mode == group.key.mode } == 1)
            }
    }
}

/// The name of a line, ordered by its number: 2 before 10, and M1 after all numbers.
private struct LineNumber: Comparable {
    private let before: Substring
    private let number: Int
    private let after: Substring

    init(_ name: String) {
        before = name.prefix { !$0.isASCII || !$0.isNumber }
        let digits = name.dropFirst(before.count).prefix { $0.isASCII && $0.isNumber }
        number = Int(digits) ?? .max
        after = name.dropFirst(before.count + digits.count)
    }

    static func < (left: LineNumber, right: LineNumber) -> Bool {
        (left.before, left.number, left.after) < (right.before, right.number, right.after)
    }
}

extension TransitMode {
    /// The names for legends by raw value.
    static var titles: [String: String] {
        Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0.title) })
    }

    /// The name for legends.
    var title: String {
        switch self {
        case .tram: "Tram"
        case .bus: "Bus"
        case .subway: "Metro"
        case .rail: "Train"
        case .ferry: "Ferry"
        case .trolleybus: "Trolleybus"
        case .coach: "Coach"
        case .monorail: "Monorail"
        case .cableTram: "Cable tram"
        case .funicular: "Funicular"
        case .aerialLift: "Cable car"
        case .air: "Air"
        case .taxi: "Taxi"
        case .other: "Line"
        }
    }
}

extension Timetable {
    /// The largest number of characters of an agency's name in a heading.
    private static let agencyLimit = 48

    /// Returns the heading of a legend of lines: the name of their agency, or a general one if they have several.
    ///
    /// - Parameter wanted: the identifiers of the lines to include, or `nil` for all.
    func title(ofLines wanted: Set<String>?) -> String {
        let shown = lines.filter { wanted?.contains($0.id) ?? true }
        // A line without an agency belongs to the only one.
        let names = Set(shown.map { $0.agency ?? 0 }.filter(agencies.indices.contains).map { agencies[$0].name })
        guard names.count == 1, let name = names.first, !name.isEmpty, name.count <= Self.agencyLimit else {
            return "Public transport"
        }
        return name
    }
}
