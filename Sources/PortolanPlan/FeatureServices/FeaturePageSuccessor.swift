package import PortolanFeatures
package import PortolanGeo
package import PortolanWeb

/// The successor of a page of features.
package enum FeaturePageSuccessor: Hashable, Sendable {
    /// Nothing: it was the last page.
    case none
    /// A further page.
    case page(NamedURL)
    /// The service names a next page that must not be requested.
    case refused(reference: String)
    /// More features may exist, but the service offers no paging.
    case cut
}

extension FeatureRequest {
    /// Returns what follows a page.
    ///
    /// - Parameters:
    ///   - extent: the requested box, or `nil` for all features.
    ///   - size: the requested number of features.
    ///   - count: the number of features received, including those of this page.
    package func successor(
        of page: FeaturePage, in extent: Extent?, size: Int, count: Int
    ) -> FeaturePageSuccessor {
        if case .table = self { return page.isCut ? .cut : .none }
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

/// The key by which duplicate features are recognised.
///
/// Duplicates are equal in every respect. The identifier alone is not sufficient, since some services give one
/// identifier to several features.
package struct FeatureKey: Hashable {
    private let feature: Feature

    package init(_ feature: Feature) { self.feature = feature }

    package func hash(into hasher: inout Hasher) {
        // Identifiers mostly differ, so coordinates are hashed only if there is no identifier.
        if let id = feature.id { hasher.combine(id) } else { hasher.combine(feature) }
    }
}
