import Portolan

/// A diagnosis as a report for a person.
struct DiagnosisReport {
    let diagnosis: ServiceDiagnosis

    init(_ diagnosis: ServiceDiagnosis) { self.diagnosis = diagnosis }

    func text() -> String {
        var text = Wrapping.lines(diagnosis.title.isEmpty ? "(without title)" : diagnosis.title)
        text += "\(diagnosis.kind.rawValue) \(diagnosis.versions.joined(separator: ", "))\n"
        text += "\(PlainText.oneLine(diagnosis.url))\n"
        for section in diagnosis.sections {
            text += "\n\(section.title)\n"
            for line in section.passed { text += Wrapping.lines(line, first: "  ✓ ", rest: "    ") }
            for finding in section.findings {
                let line = "\(finding.subject): \(finding.detail) [\(finding.code.rawValue)]"
                text += Wrapping.lines(line, first: "  \(Self.mark(finding.severity)) ", rest: "    ")
                text += Wrapping.lines(finding.remedy, first: "      → ", rest: "        ")
            }
            for line in section.skipped { text += Wrapping.lines("left out: \(line)", first: "  – ", rest: "    ") }
        }
        return text + "\n" + Wrapping.lines(summary)
    }

    private static func mark(_ severity: Finding.Severity) -> String {
        switch severity {
        case .note: "·"
        case .deviation: "!"
        case .fault: "✗"
        }
    }

    private var summary: String {
        func count(_ severity: Finding.Severity, _ word: String) -> String? {
            let count = diagnosis.findings.count { $0.severity == severity }
            return count == 0 ? nil : "\(count) \(word)\(count == 1 ? "" : "s")"
        }
        let counts = [count(.fault, "fault"), count(.deviation, "deviation"), count(.note, "note")].compactMap(\.self)
        var text = (counts.isEmpty ? "nothing to report" : counts.joined(separator: ", "))
        text += "; \(diagnosis.requestCount) request\(diagnosis.requestCount == 1 ? "" : "s") sent"
        if diagnosis.isCutShort { text += ", and no more allowed (--max-requests)" }
        return text
    }
}
