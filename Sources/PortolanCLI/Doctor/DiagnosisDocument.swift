import Portolan

/// A diagnosis as JSON; its keys are promises.
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
    /// Whether something was left out because no more requests could be sent.
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
