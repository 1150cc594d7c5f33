/// Findings in the order they were made; the same of several subjects is one finding.
package struct FindingList: Hashable, Sendable {
    /// The findings.
    package private(set) var findings: [Finding] = []
    private var places: [Key: Int] = [:]

    private struct Key: Hashable, Sendable {
        let code: Finding.Code
        let severity: Finding.Severity
        let detail: String
    }

    package init() {}

    /// Adds a finding, or its subject to the finding that says the same.
    package mutating func add(
        _ severity: Finding.Severity, _ code: Finding.Code, _ subject: String, _ detail: String, remedy: String
    ) {
        let key = Key(code: code, severity: severity, detail: detail)
        if let place = places[key] {
            if !findings[place].subjects.contains(subject) { findings[place].subjects.append(subject) }
            return
        }
        places[key] = findings.count
        findings.append(
            Finding(severity: severity, code: code, subjects: [subject], detail: detail, remedy: remedy))
    }

    /// Whether a subject has nothing graver against it than notes.
    package func isGood(_ subject: String) -> Bool {
        findings.allSatisfy { $0.severity <= .note || !$0.subjects.contains(subject) }
    }

    /// Adds findings made elsewhere.
    package mutating func add(_ others: [Finding]) {
        for finding in others {
            for subject in finding.subjects {
                add(finding.severity, finding.code, subject, finding.detail, remedy: finding.remedy)
            }
        }
    }
}
