import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanWeb

/// Requests a few features of one type in several ways, and compares the responses.
struct FeatureOfferCheck {
    /// The number of requested features.
    private static let count = 5
    /// The largest distance of the same position in two systems, in degrees: datum shifts are smaller.
    private static let tolerance = 0.01

    var probe: ServiceProbe
    var list = FindingList()
    private(set) var passed: [String] = []

    init(probe: ServiceProbe) { self.probe = probe }

    /// A response, and the CRS in its header.
    private struct Answer {
        let page: FeaturePage
        let contentCRS: String?
    }

    /// Examines the features of one type.
    mutating func run(_ offer: FeatureServiceExamination.Offer) async throws(ServiceError) {
        let subject = "'\(offer.name)'"
        checkDocument(of: offer, subject)
        guard let request = try? offer.request(nil, .auto) else {
            return list.add(
                .fault, .featuresRefused, subject, "no way to request them that clients support",
                remedy: "offer GeoJSON or GML, a URL, and a known coordinate system")
        }
        let first: Answer
        switch try await answer(at: request.url(of: nil, count: Self.count, from: 0), request) {
        case nil: return
        case .failure(let error):
            return list.add(
                .fault, .featuresRefused, subject, error.words,
                remedy: "request the features at the first URL of the report and fix the error")
        case .success(let answer): first = answer
        }
        let page = first.page
        for warning in page.warnings {
            list.add(
                .deviation, .valueMalformed, subject, warning.description,
                remedy: "write features by the rules of their format")
        }
        if page.features.count > Self.count {
            list.add(
                .deviation, .countIgnored, subject,
                "\(page.features.count) features returned for a request of \(Self.count)",
                remedy: "return the requested number, and the rest on further pages")
        }
        guard let sample = page.features.first(where: { $0.geometry?.boundingBox != nil }) else {
            passed.append("\(subject): no feature has a geometry")
            return
        }
        try await checkPages(after: page, of: request, subject)
        checkPlace(of: sample, in: request.crs, offer, subject)
        try await checkBox(about: sample, request, offer, subject)
        try await checkSystems(sample, request, offer, subject)
        if list.isGood(subject) {
            passed.append("\(subject): features, pages, boxes and coordinate systems are correct")
        }
    }

    private mutating func answer(
        at url: NamedURL, _ request: FeatureRequest
    ) async throws(ServiceError) -> Result<Answer, FeaturePageError>? {
        guard let answer = try await probe.answer(at: url) else { return nil }
        switch answer {
        case .failure(let error): return .failure(FeaturePageError(words: error.detail))
        case .success(let response):
            guard response.isSuccessful else {
                return .failure(FeaturePageError(response.body, reason: "status \(response.status)"))
            }
            let contentCRS = response.header("Content-Crs")
            return Result { () throws(FeaturePageError) in
                Answer(
                    page: try FeaturePage(
                        response.body, for: request, contentCRS: contentCRS, limit: 1_000_000, memory: nil),
                    contentCRS: contentCRS)
            }
        }
    }

    private mutating func checkDocument(of offer: FeatureServiceExamination.Offer, _ subject: String) {
        if offer.geographicBox == nil {
            list.add(
                .note, .geographicBoxMissing, subject, "no extent is given for the features",
                remedy: "add the box in degrees, so that clients request no more than they need")
        }
        for name in offer.crsNames where name != "#/crs" && (try? CRS(name)) == nil {
            list.add(
                .note, .crsUnknown, name, "unknown coordinate system; it is not used",
                remedy: "nothing to do if the system is rare; else write its OGC URN or URL")
        }
    }

    // MARK: - Pages

    private mutating func checkPages(
        after page: FeaturePage, of request: FeatureRequest, _ subject: String
    ) async throws(ServiceError) {
        let next = request.successor(of: page, in: nil, size: Self.count, count: page.features.count)
        switch next {
        case .none, .cut: return
        case .refused(let reference):
            list.add(
                .fault, .pageRefused, subject,
                "the URL of the next page, \(FetchError.redacted(reference)), cannot be reached from outside",
                remedy: "set the public URL in the server's configuration; behind a proxy, forward its host")
        case .page(let url):
            switch try await answer(at: url, request) {
            case nil: return
            case .failure(let error):
                list.add(
                    .fault, .pageRefused, subject, "the next page fails: \(error.words)",
                    remedy: "respond for every page that is linked or counted")
            case .success(let second):
                let known = Set(page.features.map(FeatureKey.init))
                let again = second.page.features.count { known.contains(FeatureKey($0)) }
                guard again > 0 else { return }
                list.add(
                    .fault, .pagesRepeat, subject,
                    "\(again) of \(second.page.features.count) features of the second page are also on the first",
                    remedy: "sort the features by a unique key before paging")
            }
        }
    }

    // MARK: - Boxes

    private mutating func checkPlace(
        of sample: Feature, in crs: CRS, _ offer: FeatureServiceExamination.Offer, _ subject: String
    ) {
        guard let box = offer.geographicBox, let place = Self.degrees(sample, in: crs) else { return }
        func lies(_ x: Double, _ y: Double) -> Bool {
            let slack = Self.tolerance + (box.maxY - box.minY) * 0.01
            let isInside =
                box.minX > box.maxX
                ? x >= box.minX - slack || x <= box.maxX + slack : (box.minX - slack...box.maxX + slack).contains(x)
            return isInside && (box.minY - slack...box.maxY + slack).contains(y)
        }
        guard !lies(place.x, place.y) else { return }
        if lies(place.y, place.x) {
            list.add(
                .fault, .featureAxes, subject,
                "features are within their stated box only with swapped axes",
                remedy:
                    "write coordinates in the axis order of the named system; until then, set 'axis='"
            )
        } else {
            list.add(
                .deviation, .featuresElsewhere, subject, "a feature is outside the stated box",
                remedy: "recompute the box")
        }
    }

    private mutating func checkBox(
        about sample: Feature, _ request: FeatureRequest, _ offer: FeatureServiceExamination.Offer, _ subject: String
    ) async throws(ServiceError) {
        let margin = request.crs.isGeographic ? 1e-4 : 10.0
        guard let box = sample.geometry?.boundingBox,
            let extent = Extent(
                minX: box.minX - margin, minY: box.minY - margin, maxX: box.maxX + margin, maxY: box.maxY + margin)
        else { return }
        let count = 1000
        func finds(_ answer: Result<Answer, FeaturePageError>?) -> Bool? {
            guard case .success(let answer)? = answer else { return nil }
            if answer.page.features.count >= count { return true }
            return answer.page.features.contains { feature in
                FeatureKey(feature) == FeatureKey(sample) || (feature.id != nil && feature.id == sample.id)
            }
        }
        let answer = try await answer(at: request.url(of: extent, count: count, from: 0), request)
        if case .failure(let error)? = answer {
            return list.add(
                .fault, .featuresRefused, subject, "features in a box fail: \(error.words)",
                remedy: "fix the bounding box filter; no map can be drawn without it")
        }
        guard finds(answer) == false else { return }
        let other: WMSOptions.AxisOrderPolicy = request.isNorthFirst ? .xy : .yx
        if let swapped = try? offer.request(nil, other) {
            // Only the box differs; the response is parsed as before.
            let again = try await self.answer(at: swapped.url(of: extent, count: count, from: 0), request)
            if finds(again) == true {
                return list.add(
                    .fault, .boxAxes, subject,
                    "a box finds its features only with swapped axes",
                    remedy:
                        "read boxes in the axis order of their system; until then, set 'axis='")
            }
        }
        list.add(
            .fault, .boxMisses, subject, "a box around a feature does not find it",
            remedy: "compare the box with features in the same coordinate system")
    }

    // MARK: - Systems

    private mutating func checkSystems(
        _ sample: Feature, _ request: FeatureRequest, _ offer: FeatureServiceExamination.Offer, _ subject: String
    ) async throws(ServiceError) {
        let other = offer.crsNames.first { name in
            guard let crs = try? CRS(name), crs.projection != nil else { return false }
            return !crs.hasCoordinates(of: request.crs)
        }
        guard let other, let asked = try? offer.request(other, .auto), let here = Self.degrees(sample, in: request.crs)
        else { return }
        let place = "\(subject) in \(asked.crs)"
        let found: Answer
        switch try await answer(at: asked.url(of: nil, count: Self.count, from: 0), asked) {
        case nil: return
        case .failure(let error):
            return list.add(
                .fault, .featuresRefused, place, error.words, remedy: "return features in every listed system")
        case .success(let answer): found = answer
        }
        if case .ogcAPI = asked, found.contentCRS == nil {
            list.add(
                .deviation, .contentCRSMissing, place, "the response has no Content-Crs header",
                remedy: "name the system of every response (OGC 18-058r1, requirement 15)")
        }
        let same = found.page.features.first { $0.id != nil && $0.id == sample.id }
        guard let same, let there = Self.degrees(same, in: asked.crs) else { return }
        func isNear(_ x: Double, _ y: Double) -> Bool {
            abs(x - here.x) < Self.tolerance && abs(y - here.y) < Self.tolerance
        }
        guard !isNear(there.x, there.y) else { return }
        let center = same.geometry?.boundingBox.map {
            Coordinate(x: ($0.minY + $0.maxY) / 2, y: ($0.minX + $0.maxX) / 2)
        }
        let turned = center.flatMap { Self.degrees($0, in: asked.crs) }
        if let turned, isNear(turned.x, turned.y) {
            list.add(
                .fault, .featureAxes, place, "features have swapped axes",
                remedy: "write coordinates in the axis order of the named system")
        } else {
            list.add(
                .fault, .featuresElsewhere, place, "the same feature is elsewhere in \(request.crs)",
                remedy: "compare the definitions of both systems in the server's configuration")
        }
    }

    /// The centre of a feature in longitude and latitude.
    private static func degrees(_ feature: Feature, in crs: CRS) -> Coordinate? {
        feature.geometry?.boundingBox.flatMap { box in
            degrees(Coordinate(x: (box.minX + box.maxX) / 2, y: (box.minY + box.maxY) / 2), in: crs)
        }
    }

    private static func degrees(_ place: Coordinate, in crs: CRS) -> Coordinate? {
        (try? CoordinateTransform(from: crs, to: .crs84))?(place)
    }
}
