import Portolan
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanText
import PortolanWeb

extension WMSExamination {
    /// A map as it was asked for, and what it looks like.
    private struct Sample {
        let version: WMSVersion
        let crs: CRS
        let crsName: String
        let subject: String
        let likeness: PictureLikeness

        /// Whether the version does not know the system yet: where its axes are swapped, a part may look empty.
        var isBeforeItsTime: Bool { version < .v1_3_0 && crs == .crs84 }
    }

    /// Asks for small maps in each version and system, and compares those of one view.
    mutating func checkMaps() async throws(ServiceError) {
        var list = FindingList(), passed: [String] = [], skipped: [String] = []
        var isTold = false
        for layer in layers {
            let name = layer.name ?? ""
            guard let view = ComparisonView(of: layer) else {
                skipped.append("'\(name)': its geographic box is beyond all maps")
                continue
            }
            // Maps of little, as a few lakes, look alike wherever they are: then another layer is looked at in each version.
            let versions = isTold ? [newest.version] : documents.keys.sorted(by: >)
            var samples: [Sample] = [], other: [Sample] = []
            for version in versions {
                for crsName in worldSystems(of: layer, version) {
                    let sample = try await sample(of: layer, version, crsName, view, &list)
                    if let sample { samples.append(sample) }
                }
            }
            isTold = isTold || samples.contains { $0.likeness.tells }
            // Systems of a part of the world have a view of their own.
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
        if probe.isCutShort { skipped.append("some maps: no more requests may be sent") }
        add("Maps", list, passed: passed, skipped: skipped)
    }

    /// Asks for one wide map, a strip of few rows: services draw smaller ones than they are asked for without a word.
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
            if list.isGood(subject) { passed.append("a map of \(width) pixels comes as wide as it is asked for") }
        case .refusal(let words):
            list.add(
                .note, .limitTight, subject, "a map of this size is refused: \(words)",
                remedy: "state MaxWidth and MaxHeight, so that clients ask for smaller ones")
        case .other, .notAsked: break
        }
    }

    /// The systems of the whole world that a layer is offered in, each in one spelling.
    private func worldSystems(of layer: WMSLayer, _ version: WMSVersion) -> [String] {
        let names = documents[version]?.layer(named: layer.name ?? "")?.crsNames ?? []
        return [CRS.webMercator, .epsg4326, .crs84].compactMap { wanted in
            names.first { $0.uppercased() == wanted.name } ?? names.first { (try? CRS($0)) == wanted }
        }
    }

    /// The first UTM zone, or what is like one, that a layer is offered in.
    private func zoneSystem(of layer: WMSLayer) -> String? {
        layer.crsNames.first { name in
            (try? CRS(name))?.projection is TransverseMercator
        }
    }

    private mutating func sample(
        of layer: WMSLayer, _ version: WMSVersion, _ crsName: String, _ view: ComparisonView, _ list: inout FindingList
    ) async throws(ServiceError) -> Sample? {
        let subject = "'\(layer.name ?? "")' in \(crsName) (\(version))"
        let template: WMSMapTemplate
        switch self.template(of: layer, version: version, crsName: crsName) {
        case .success(let made): template = made
        case .failure(let error):
            list.add(
                .deviation, .pictureRefused, subject, "the layer cannot be asked for: \(error)",
                remedy: "offer the same layers in each version")
            return nil
        }
        guard let anywhere = view.extent(in: template.crs) else { return nil }
        let source = WMSSource(
            request: template.request(extent: anywhere, width: ComparisonView.side, height: ComparisonView.side),
            limits: template.limits)
        let plan = MapPlanner(viewport: view.viewport).plan([MapLayer(name: "layer", source: source)])
        var images: [ResourceID: PixelBuffer] = [:]
        for resource in plan.resources {
            guard case .url(let address) = resource.location else { continue }
            let answer = try await probe.picture(
                at: address, format: template.format, size: ImageSize(ofRequest: address.text), subject: subject,
                into: &list)
            switch answer {
            case .picture(let picture, _): images[resource.id] = picture
            case .other(let format):
                list.add(
                    .note, .pictureFormat, subject, "the only format is \(format.name), which is not decoded here",
                    remedy: "offer image/png")
                return nil
            case .refusal(let words):
                list.add(
                    .fault, .pictureRefused, subject, words,
                    remedy: "mend it, or do not list this system for the layer in this version")
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
                    "a part of the map is empty, where that in \(like.crsName) (\(like.version)) shows something",
                    remedy:
                        "draw all of the layer's geographic box in each system that is listed, or make the box smaller")
            } else if sample.likeness.isBlank {
                list.add(
                    .fault, .pictureBlank, sample.subject,
                    "the map is of one colour, where that in \(like.crsName) (\(like.version)) shows something",
                    remedy: Self.remedy(for: sample, few: few))
            } else {
                list.add(
                    .fault, .picturesDiffer, sample.subject,
                    "the map shows something else than that in \(like.crsName) (\(like.version)) does of the "
                        + "same ground",
                    remedy: Self.remedy(for: sample, few: few))
            }
        }
        guard odd.isEmpty else { return }
        let versions = Set(samples.map(\.version)).count, systems = Set(samples.map(\.crsName)).sorted()
        if samples.allSatisfy(\.likeness.isBlank) {
            skipped.append(
                "'\(layer)' in \(systems.joined(separator: ", ")): the maps are of one colour; nothing could be compared"
            )
            return
        }
        // A map that did not come, or came with a fault, is told of elsewhere; no line here may speak for it.
        let good = samples.filter { list.isGood($0.subject) }
        guard good.count > 1 else { return }
        var places = Set(good.map(\.crsName)).sorted().joined(separator: ", ")
        if good.count < versions * systems.count {
            places = Self.places(of: good)
        } else if versions > 1 {
            places += ", in each of \(versions) versions"
        }
        passed.append("'\(layer)' shows the same ground in \(places)")
    }

    /// The systems of some maps with the versions they were asked for in, as `A, B (1.3.0); A (1.1.1, 1.0.0)`.
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
        let doubt = few ? "see which of the two is right; " : ""
        if sample.version >= .v1_3_0, sample.crs.axisOrder == CRS.epsg4326.axisOrder {
            return doubt
                + "read BBOX in the order of the system's axes, north first (OGC 06-042 6.7.4); until then ask with "
                + "axis=xy, or in version 1.1.1"
        }
        if sample.isBeforeItsTime {
            return doubt
                + "take CRS:84 with longitude first, or list it in version 1.3.0 alone; until then ask for EPSG:4326"
        }
        return doubt + "mend the projection or the order of axes in the server's configuration of this system"
    }
}

extension ImageSize {
    /// The size that a request for a map asks for.
    fileprivate init?(ofRequest url: String) {
        func number(_ name: String) -> Int? {
            url.split(whereSeparator: { $0 == "?" || $0 == "&" }).last { $0.hasPrefix(name + "=") }
                .flatMap { Int($0.dropFirst(name.count + 1)) }
        }
        guard let width = number("WIDTH"), let height = number("HEIGHT") else { return nil }
        self.init(width: width, height: height)
    }
}
