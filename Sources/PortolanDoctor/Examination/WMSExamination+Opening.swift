import Portolan
import PortolanFetch
import PortolanServices
import PortolanWeb

extension WMSExamination {
    /// The capabilities in all supported versions.
    struct Opening {
        private(set) var documents: [WMSCapabilities.Version: WMSCapabilities] = [:]
        private(set) var newest: WMSCapabilities
        /// The base of the URLs in the documents.
        let base: BaseURL
        private(set) var section = ServiceDiagnosis.Section("Capabilities")
        private var list = FindingList()
        private var spoken: [String] = []

        /// Requests the document in the versions of the options; else without a version, in 1.3.0 and 1.0.0, then in
        /// those between.
        ///
        /// Versions older than the oldest response, and unpublished ones, are not requested.
        static func ask(
            _ url: String, _ options: ServiceDoctor.Options, _ probe: inout ServiceProbe
        ) async throws(ServiceError) -> Opening {
            let wanted = Set(options.versions).sorted(by: >)
            guard let first = try await document(of: url, in: wanted.first, &probe) else {
                throw ServiceError(
                    .unavailable, url: url,
                    detail: "the limit of \(options.maximumRequestCount) requests is too low")
            }
            let found: Answer
            switch first {
            case .success(let answer): found = answer
            case .failure(let error):
                // A service that requires a version may still be one.
                guard wanted.isEmpty, error.isAnswer,
                    case .success(let answer) = try await document(of: url, in: .v1_3_0, &probe)
                else {
                    throw error
                }
                found = answer
            }
            var opening = Opening(newest: found.capabilities, base: found.base)
            opening.note(first, asked: wanted.first)
            guard wanted.isEmpty else {
                for version in wanted.dropFirst() {
                    opening.note(try await document(of: url, in: version, &probe), asked: version)
                }
                opening.finish(unversioned: nil)
                return opening
            }
            opening.note(try await document(of: url, in: .v1_3_0, &probe), asked: .v1_3_0)
            opening.note(try await document(of: url, in: .v1_0_0, &probe), asked: .v1_0_0)
            for version in [WMSCapabilities.Version.v1_1_1, .v1_1_0] {
                guard let oldest = opening.documents.keys.min(), version > oldest || opening.documents.count == 1 else {
                    continue
                }
                if opening.documents[version] != nil { continue }
                opening.note(try await document(of: url, in: version, &probe), asked: version)
            }
            opening.finish(unversioned: try? first.get().capabilities.version)
            return opening
        }

        private init(newest: WMSCapabilities, base: BaseURL) {
            self.newest = newest
            self.base = base
        }

        struct Answer {
            var capabilities: WMSCapabilities
            var base: BaseURL
            var findings: [Finding]
        }

        /// The document in a version, or `nil` if the request limit is reached.
        private static func document(
            of url: String, in version: WMSCapabilities.Version?, _ probe: inout ServiceProbe
        ) async throws(ServiceError) -> Result<Answer, ServiceError>? {
            let address = GetCapabilitiesRequest(version: version, baseURL: NamedURL(url, namedBy: .user)).address
            guard let answer = try await probe.answer(at: address) else { return nil }
            let response: HTTPResponse
            switch answer {
            case .success(let answered): response = answered
            case .failure(let error): return .failure(error)
            }
            let type = response.header("Content-Type")
            do {
                let capabilities = try WMSCapabilitiesReader.read(response.body, contentType: type)
                let evidence = CapabilitiesEvidence(
                    bytes: response.body, contentType: type, address: url, askedVersion: version?.rawValue)
                return .success(
                    Answer(
                        capabilities: capabilities, base: probe.base(of: response, askedFor: address, at: url),
                        findings: WMSCheck.findings(in: evidence)))
            } catch { return .failure(ServiceError(error, in: response, url: address.text)) }
        }

        private mutating func note(_ result: Result<Answer, ServiceError>?, asked: WMSCapabilities.Version?) {
            switch result {
            case nil: section.skipped.append("version \(asked?.rawValue ?? "none"): request limit reached")
            case .failure(let error):
                list.add(
                    asked == nil ? .fault : .deviation, .versionNegotiation,
                    asked.map { "version \($0)" } ?? "no version",
                    asked == nil
                        ? "without a version, the service does not respond with its newest (OGC 06-042 6.2.4): \(error.detail)"
                        : "the service neither responds in this version nor negotiates another (OGC 06-042 6.2.4): "
                            + error.detail,
                    remedy: "respond with the nearest supported version")
            case .success(let answer):
                let version = answer.capabilities.version
                list.add(answer.findings)
                if documents[version] == nil { documents[version] = answer.capabilities }
                if version > newest.version { newest = answer.capabilities }
                if let asked, asked != version {
                    list.add(
                        .note, .versionNegotiation, "version \(asked)",
                        "the version is not supported; the response has version \(answer.capabilities.versionText)",
                        remedy: "nothing to do; clients use the version of the document")
                }
            }
        }

        private mutating func finish(unversioned: WMSCapabilities.Version?) {
            if let unversioned, unversioned < newest.version {
                list.add(
                    .deviation, .versionNegotiation, "no version",
                    "without a version, the service responds in \(unversioned), although it supports \(newest.version)",
                    remedy: "respond with the newest version")
            }
            section.findings = list.gravestFirst
            let versions = documents.keys.sorted(by: >).map(\.rawValue)
            section.passed.append("supported versions: \(versions.joined(separator: ", "))")
            let systems = newest.systemNames.count
            section.passed.append(
                "layers offered: \(newest.layerNames.count), in \(systems) coordinate systems and \(newest.getMap?.formats.count ?? 0) formats"
            )
        }
    }
}
