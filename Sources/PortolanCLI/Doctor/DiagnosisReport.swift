import PortolanDoctor
import PortolanWeb

/// A diagnosis as a text report.
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
            for line in section.skipped { text += Wrapping.lines("skipped: \(line)", first: "  – ", rest: "    ") }
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
            return count == 0 ? nil : PhraseText.counted(count, "\(word)|\(word)s")
        }
        let counts = [count(.fault, "fault"), count(.deviation, "deviation"), count(.note, "note")].compactMap(\.self)
        var text = (counts.isEmpty ? "no findings" : counts.joined(separator: ", "))
        // A file is examined without requests.
        if diagnosis.requestCount > 0 {
            text += "; \(PhraseText.counted(diagnosis.requestCount, "request|requests")) sent"
        }
        if diagnosis.isCutShort { text += ", the limit of --max-requests" }
        return text
    }
}

/// A diagnosis as JSON with stable keys.
struct DiagnosisDocument: Encodable {
    struct Section: Encodable {
        var title: String
        var passed: [String]
        var findings: [Entry]
        var skipped: [String]
    }

    struct Entry: Encodable {
        var severity: String
        var code: String
        var subjects: [String]
        var detail: String
        var remedy: String
    }

    struct Summary: Encodable {
        var faults: Int
        var deviations: Int
        var notes: Int
    }

    var url: String
    var type: String
    var title: String
    var versions: [String]
    var requests: Int
    /// Whether checks were skipped because of the request limit.
    var cutShort: Bool
    var summary: Summary
    var sections: [Section]

    init(_ diagnosis: ServiceDiagnosis) {
        url = diagnosis.url
        type = diagnosis.kind.rawValue
        title = diagnosis.title
        versions = diagnosis.versions
        requests = diagnosis.requestCount
        cutShort = diagnosis.isCutShort
        func count(_ severity: Finding.Severity) -> Int { diagnosis.findings.count { $0.severity == severity } }
        summary = Summary(faults: count(.fault), deviations: count(.deviation), notes: count(.note))
        sections = diagnosis.sections.map { section in
            Section(
                title: section.title, passed: section.passed,
                findings: section.findings.map {
                    Entry(
                        severity: $0.severity.rawValue, code: $0.code.rawValue, subjects: $0.subjects,
                        detail: $0.detail, remedy: $0.remedy)
                }, skipped: section.skipped)
        }
    }
}
