package import PortolanFeatures
package import PortolanGeo
package import PortolanWeb

/// What comes after a page of a service's features.
package enum FeaturePageSuccessor: Hashable, Sendable {
    /// Nothing: it was the last.
    case none
    /// A further page.
    case page(NamedURL)
    /// A page that the service names and that may not be asked for.
    case refused(reference: String)
    /// There may be more, and the service has no way to ask for it.
    case cut
}

extension FeatureRequest {
    /// What comes after a page.
    ///
    /// - Parameters:
    ///   - extent: the box that was asked for, or `nil` for all features.
    ///   - size: how many features were asked for.
    ///   - count: how many came, those of the page among them.
    package func successor(
        of page: FeaturePage, in extent: Extent?, size: Int, count: Int
    ) -> FeaturePageSuccessor {
        if let reference = page.next {
            return address(ofNext: reference).map { .page($0) } ?? .refused(reference: reference)
        }
        let mayBeCut: Bool =
            if let matched = page.matchedCount {
                count < matched
            } else {
                page.features.count >= size || page.features.count == defaultCount
            }
        guard mayBeCut else { return .none }
        guard hasOffsets else { return .cut }
        return .page(url(of: extent, count: size, from: count))
    }
}

/// By what a feature that came twice is known.
///
/// It is the same in all: the identifier alone is not enough, since services give one to several features.
package struct FeatureKey: Hashable {
    private let feature: Feature

    package init(_ feature: Feature) { self.feature = feature }

    package func hash(into hasher: inout Hasher) {
        // What has an identifier mostly differs in it: coordinates are looked at where it does not.
        if let id = feature.id { hasher.combine(id) } else { hasher.combine(feature) }
    }
}
