/// One way in which a service deviates from its standard or from what clients expect, and what its operator can do.
public struct Finding: Hashable, Sendable {
    /// The severity of a finding.
    public enum Severity: String, Hashable, Sendable, Comparable, CaseIterable {
        /// Correct, but useful to know.
        case note
        /// Against the standard, or a problem for clients; most can work around it.
        case deviation
        /// Something that the service offers does not work.
        case fault

        /// Less severe findings come first.
        public static func < (left: Severity, right: Severity) -> Bool {
            left.rank < right.rank
        }

        private var rank: Int {
            switch self {
            case .note: 0
            case .deviation: 1
            case .fault: 2
            }
        }
    }

    /// The severity.
    public let severity: Severity
    /// The kind of finding.
    public let code: Code
    /// The subjects: layers, addresses, versions; in the order of the document.
    public internal(set) var subjects: [String]
    /// The problem and why it matters.
    public let detail: String
    /// The remedy for the operator, or for clients until then.
    public let remedy: String

    /// Makes a finding.
    public init(severity: Severity, code: Code, subjects: [String], detail: String, remedy: String) {
        self.severity = severity
        self.code = code
        self.subjects = subjects
        self.detail = detail
        self.remedy = remedy
    }

    /// The first three subjects, and how many more there are.
    public var subject: String {
        let shown = subjects.prefix(3).joined(separator: ", ")
        return subjects.count > 3 ? "\(shown) and \(subjects.count - 3) more" : shown
    }
}

/// Findings in the order of detection; the same finding of several subjects is merged.
struct FindingList: Hashable, Sendable {
    /// The findings.
    private(set) var findings: [Finding] = []
    private var places: [Key: Int] = [:]
    /// The subjects of each finding; a document may have tens of thousands.
    private var subjects: Set<Subject> = []

    private struct Subject: Hashable, Sendable {
        let place: Int
        let name: String
    }

    private struct Key: Hashable, Sendable {
        let code: Finding.Code
        let severity: Finding.Severity
        let detail: String
    }

    /// The findings, most severe first, else in the order of detection.
    var gravestFirst: [Finding] { findings.sorted { $0.severity > $1.severity } }

    init() {}

    /// Adds a finding, or its subject to an equal finding.
    mutating func add(
        _ severity: Finding.Severity, _ code: Finding.Code, _ subject: String, _ detail: String, remedy: String
    ) {
        let key = Key(code: code, severity: severity, detail: detail)
        if let place = places[key] {
            if subjects.insert(Subject(place: place, name: subject)).inserted {
                findings[place].subjects.append(subject)
            }
            return
        }
        subjects.insert(Subject(place: findings.count, name: subject))
        places[key] = findings.count
        findings.append(
            Finding(severity: severity, code: code, subjects: [subject], detail: detail, remedy: remedy))
    }

    /// Whether a subject has notes at most.
    func isGood(_ subject: String) -> Bool {
        findings.indices.allSatisfy { place in
            findings[place].severity <= .note || !subjects.contains(Subject(place: place, name: subject))
        }
    }

    /// Adds the findings of another list.
    mutating func add(_ others: [Finding]) {
        for finding in others {
            for subject in finding.subjects {
                add(finding.severity, finding.code, subject, finding.detail, remedy: finding.remedy)
            }
        }
    }
}
