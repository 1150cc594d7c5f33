import Portolan
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanText
import PortolanWeb

extension WMSExamination {
    /// A requested map and its appearance.
    private struct Sample {
        let version: WMSCapabilities.Version
        let crs: CRS
        let crsName: String
        let subject: String
        let likeness: PictureLikeness

        /// Whether the version predates the system: with swapped axes, a part may look empty.
        var isBeforeItsTime: Bool { version < .v1_3_0 && crs == .crs84 }
    }

    /// Requests small maps in each version and system, and compares those of one view.
    mutating func checkMaps() async throws(ServiceError) {
        var list = FindingList(), passed: [String] = [], skipped: [String] = []
        var isTold = false
        for layer in layers {
            let name = layer.name ?? ""
            guard let view = ComparisonView(of: layer) else {
                skipped.append("'\(name)': its geographic box is outside the world")
                continue
            }
            // Sparse maps, such as a few lakes, look the same everywhere; then another layer is used in each version.
            let versions = isTold ? [newest.version] : documents.keys.sorted(by: >)
            var samples: [Sample] = [], other: [Sample] = []
            for version in versions {
                for crsName in worldSystems(of: layer, version) {
                    let sample = try await sample(of: layer, version, crsName, view, &list)
                    if let sample { samples.append(sample) }
                }
            }
            isTold = isTold || samples.contains { $0.likeness.tells }
            // Regional systems have their own view.
            if let crsName = zoneSystem(of: layer), let crs = try? CRS(crsName),
                let near = ComparisonView(of: layer, in: crs)
            {
                let version = newest.version
                for system in [worldSystems(of: layer, version).first, crsName].compactMap(\.self) {
                    if let sample = try await sample(of: layer, version, system, near, &list) { other.append(sample) }
                }
            }
            for group in [samples, other] where group.count > 1 {
                compare(group, layer: name, into: &list, &passed, &skipped)
            }
        }
        try await checkWidth(into: &list, &passed)
        if probe.isCutShort { skipped.append("some maps: request limit reached") }
        add("Maps", list, passed: passed, skipped: skipped)
    }

    /// Requests one wide map, a strip of few rows: some services silently return smaller maps than requested.
    private mutating func checkWidth(into list: inout FindingList, _ passed: inout [String]) async throws(ServiceError)
    {
        guard let layer = layers.first(where: { $0.fixedWidth == nil && $0.fixedHeight == nil && !$0.hasNoSubsets }),
            let view = ComparisonView(of: layer), let crsName = worldSystems(of: layer, newest.version).first,
            case .success(let template) = template(of: layer, version: newest.version, crsName: crsName),
            let whole = view.extent(in: template.crs)
        else { return }
        let width = min(2048, template.limits.maxWidth ?? 2048), height = min(64, width)
        guard width > ComparisonView.side,
            let strip = Extent(
                center: whole.center, width: whole.width, height: whole.width * Double(height) / Double(width)),
            let size = ImageSize(width: width, height: height)
        else { return }
        let request = template.request(extent: strip, width: width, height: height)
        let subject = "'\(layer.name ?? "")', \(width)x\(height) pixels"
        let answer = try await probe.picture(
            at: request.address, format: template.format, size: size, subject: subject, into: &list)
        switch answer {
        case .picture:
            if list.isGood(subject) { passed.append("a map of \(width) pixels is returned as wide as requested") }
        case .refusal(let words):
            list.add(
                .note, .limitTight, subject, "a map of this size is refused: \(words)",
                remedy: "state MaxWidth and MaxHeight, so that clients request smaller maps")
        case .other, .notAsked: break
        }
    }

    /// The world-wide systems of a layer, in one spelling each.
    private func worldSystems(of layer: WMSCapabilities.Layer, _ version: WMSCapabilities.Version) -> [String] {
        let names = documents[version]?.layer(named: layer.name ?? "")?.crsNames ?? []
        return [CRS.webMercator, .epsg4326, .crs84].compactMap { wanted in
            names.first { $0.uppercased() == wanted.name } ?? names.first { (try? CRS($0)) == wanted }
        }
    }

    /// The first UTM zone, or a similar system, of a layer.
    private func zoneSystem(of layer: WMSCapabilities.Layer) -> String? {
        layer.crsNames.first { name in
            (try? CRS(name))?.projection is TransverseMercator
        }
    }

    private mutating func sample(
        of layer: WMSCapabilities.Layer, _ version: WMSCapabilities.Version, _ crsName: String, _ view: ComparisonView,
        _ list: inout FindingList
    ) async throws(ServiceError) -> Sample? {
        let subject = "'\(layer.name ?? "")' in \(crsName) (\(version))"
        let template: WMSMapTemplate
        switch self.template(of: layer, version: version, crsName: crsName) {
        case .success(let made): template = made
        case .failure(let error):
            list.add(
                .deviation, .pictureRefused, subject, "the layer cannot be requested: \(error)",
                remedy: "offer the same layers in each version")
            return nil
        }
        guard let anywhere = view.extent(in: template.crs) else { return nil }
        let source = WMSSource(
            request: template.request(extent: anywhere, width: ComparisonView.side, height: ComparisonView.side),
            limits: template.limits)
        let plan = MapPlanner(viewport: view.viewport).plan([MapLayer(name: "layer", source: source)])
        var images: [Resource.ID: PixelBuffer] = [:]
        for resource in plan.resources {
            guard case .url(let address) = resource.location else { continue }
            let answer = try await probe.picture(
                at: address, format: template.format, size: ImageSize(ofRequest: address.text), subject: subject,
                into: &list)
            switch answer {
            case .picture(let picture, _): images[resource.id] = picture
            case .other(let format):
                list.add(
                    .note, .pictureFormat, subject, "the only format is \(format.name), which is not supported here",
                    remedy: "offer image/png")
                return nil
            case .refusal(let words):
                list.add(
                    .fault, .pictureRefused, subject, words,
                    remedy: "fix it, or do not list this system for the layer in this version")
                return nil
            case .notAsked: return nil
            }
        }
        guard !images.isEmpty else { return nil }
        let painter = MapPainter(
            scene: plan.scene, images: images, fonts: FontBook(fonts: [], usesSystemFonts: false),
            furniture: Furniture())
        guard let picture = try? painter.paint() else { return nil }
        return Sample(
            version: version, crs: template.crs, crsName: crsName, subject: subject,
            likeness: PictureLikeness(picture.image))
    }

    private func compare(
        _ samples: [Sample], layer: String, into list: inout FindingList, _ passed: inout [String],
        _ skipped: inout [String]
    ) {
        guard let (common, odd) = PictureLikeness.oddOnes(among: samples.map(\.likeness)) else { return }
        let like = samples[common], few = samples.count == 2
        for place in odd {
            let sample = samples[place]
            if !sample.likeness.isBlank, !sample.isBeforeItsTime, sample.likeness.isPart(of: like.likeness) {
                list.add(
                    .deviation, .pictureBlank, sample.subject,
                    "part of the map is empty, but in \(like.crsName) (\(like.version)) it is not",
                    remedy:
                        "draw the layer's whole geographic box in each listed system, or reduce the box")
            } else if sample.likeness.isBlank {
                list.add(
                    .fault, .pictureBlank, sample.subject,
                    "the map has a single colour, but in \(like.crsName) (\(like.version)) it does not",
                    remedy: Self.remedy(for: sample, few: few))
            } else {
                list.add(
                    .fault, .picturesDiffer, sample.subject,
                    "the map differs from that in \(like.crsName) (\(like.version)) of the "
                        + "same area",
                    remedy: Self.remedy(for: sample, few: few))
            }
        }
        guard odd.isEmpty else { return }
        let versions = Set(samples.map(\.version)).count, systems = Set(samples.map(\.crsName)).sorted()
        if samples.allSatisfy(\.likeness.isBlank) {
            skipped.append(
                "'\(layer)' in \(systems.joined(separator: ", ")): the maps have a single colour; not compared"
            )
            return
        }
        // Failed maps are reported elsewhere; no line here may cover them.
        let good = samples.filter { list.isGood($0.subject) }
        guard good.count > 1 else { return }
        var places = Set(good.map(\.crsName)).sorted().joined(separator: ", ")
        if good.count < versions * systems.count {
            places = Self.places(of: good)
        } else if versions > 1 {
            places += ", in each of \(versions) versions"
        }
        passed.append("'\(layer)' shows the same area in \(places)")
    }

    /// The systems of some maps with the requested versions, as `A, B (1.3.0); A (1.1.1, 1.0.0)`.
    private static func places(of samples: [Sample]) -> String {
        var groups: [(systems: String, versions: [String])] = []
        let byVersion = Dictionary(grouping: samples, by: \.version).sorted { $0.key > $1.key }
        for (version, samples) in byVersion {
            let systems = samples.map(\.crsName).sorted().joined(separator: ", ")
            if let place = groups.firstIndex(where: { $0.systems == systems }) {
                groups[place].versions.append(version.rawValue)
            } else {
                groups.append((systems, [version.rawValue]))
            }
        }
        return groups.map { "\($0.systems) (\($0.versions.joined(separator: ", ")))" }.joined(separator: "; ")
    }

    private static func remedy(for sample: Sample, few: Bool) -> String {
        let doubt = few ? "find out which of the two is right; " : ""
        if sample.version >= .v1_3_0, sample.crs.axisOrder == CRS.epsg4326.axisOrder {
            return doubt
                + "read BBOX in the axis order of the system, north first (OGC 06-042 6.7.4); until then, request with "
                + "axis=xy, or in version 1.1.1"
        }
        if sample.isBeforeItsTime {
            return doubt
                + "read CRS:84 with longitude first, or list it in version 1.3.0 only; until then, request EPSG:4326"
        }
        return doubt + "fix the projection or the axis order of this system in the server's configuration"
    }
}

extension ImageSize {
    /// The size in a map request.
    fileprivate init?(ofRequest url: String) {
        func number(_ name: String) -> Int? {
            url.split(whereSeparator: { $0 == "?" || $0 == "&" }).last { $0.hasPrefix(name + "=") }
                .flatMap { Int($0.dropFirst(name.count + 1)) }
        }
        guard let width = number("WIDTH"), let height = number("HEIGHT") else { return nil }
        self.init(width: width, height: height)
    }
}
