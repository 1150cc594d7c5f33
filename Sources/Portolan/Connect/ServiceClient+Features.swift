public import PortolanFeatures
import PortolanFetch
import PortolanGeo
package import PortolanPlan
import PortolanRaster
import PortolanWeb

extension ServiceClient {
    /// The features of a service.
    public struct ServedFeatures: Sendable {
        /// The features without duplicates, in the CRS of the request.
        public var collection: FeatureCollection
        /// The reasons for missing features, one sentence each; empty if all were received.
        public var losses: [String] = []
        /// The number of pages that were requested.
        public var pageCount = 0
    }

    /// The maximum number of pages, regardless of what the service states.
    private static let maximumPageCount = 100_000

    /// Returns the features of a feature type or collection, page by page.
    ///
    /// ``ServedFeatures/losses`` lists reasons why features may be missing. A page that cannot be fetched or read is an
    /// error, so that an incomplete result never looks complete.
    ///
    /// - Parameters:
    ///   - request: the request template, as in a layer's ``/PortolanPlan/MapLayer/featureService``.
    ///   - limit: the maximum number of features.
    /// - Throws: ``ServiceError``.
    package func readFeatures(
        of request: FeatureRequest, limit: Int = 1_000_000
    ) async throws(ServiceError) -> ServedFeatures {
        if case .table(let table) = request { return try await readTable(table.wholeTable, limit: limit) }
        var served = ServedFeatures(collection: FeatureCollection(features: [], crs: request.crs))
        var seen: Set<FeatureKey> = [], asked: Set<String> = [], charges: [MemoryCharge] = [], count = 0
        let size = request.hasOffsets ? min(FeatureServiceSource.pageSize, limit) : limit
        var address: NamedURL? = request.url(of: nil, count: size, from: 0)
        while let url = address {
            address = nil
            guard asked.insert(url.text).inserted, served.pageCount < Self.maximumPageCount else {
                served.losses.append(
                    "page \(served.pageCount + 1) links back to an earlier page, or there are too many pages")
                break
            }
            let page = try await featurePage(at: url, request, limit: limit)
            served.pageCount += 1
            charges += [page.charge].compactMap(\.self)
            served.collection.warnings += page.warnings
            let new = page.features.filter { seen.insert(FeatureKey($0)).inserted }
            count += page.features.count
            guard !new.isEmpty else {
                let isShort = page.matchedCount.map { $0 > served.collection.features.count } ?? false
                if isShort || !page.features.isEmpty { served.losses.append(Self.cut(page, served)) }
                break
            }
            served.collection.features += new.prefix(limit - served.collection.features.count)
            guard served.collection.features.count < limit else {
                if request.successor(of: page, in: nil, size: size, count: count) != .none {
                    served.losses.append("there may be more than the requested \(limit) features")
                }
                break
            }
            switch request.successor(of: page, in: nil, size: size, count: count) {
            case .none: break
            case .page(let next): address = next
            case .cut: served.losses.append(Self.cut(page, served))
            case .refused(let reference):
                throw ServiceError(
                    .answer("not allowed to request the next page: \(reference)"), url: url.text)
            }
        }
        return withExtendedLifetime(charges) { served }
    }

    /// Returns the features of a database table.
    private func readTable(_ table: TileArchive, limit: Int) async throws(ServiceError) -> ServedFeatures {
        guard let service = configuration.tileArchives.services[table.format] as? any TileArchiveFormats.TableService
        else {
            throw ServiceError(
                .answer("no reader of the format '\(table.format.rawValue)' is registered"), url: table.path)
        }
        do throws(ResourceError) {
            let read = try await service.features(of: table, limit: limit, memory: memory)
            var served = ServedFeatures(collection: read.collection, pageCount: 1)
            if read.isCut { served.losses.append("there are more than the requested \(limit) features") }
            return served
        } catch {
            guard error.cause != .cancelled else {
                throw ServiceError(.fetch(.cancelled(url: table.path)), url: table.path)
            }
            throw ServiceError(.answer(error.message), url: table.path, code: .unavailable)
        }
    }

    private static func cut(_ page: FeaturePage, _ served: ServedFeatures) -> String {
        let whole = page.matchedCount.map { " of \($0)" } ?? ""
        return "the service returned \(served.collection.features.count)\(whole) features and no more pages"
    }

    private func featurePage(
        at url: NamedURL, _ request: FeatureRequest, limit: Int
    ) async throws(ServiceError) -> FeaturePage {
        let response = try await document(at: url)
        guard response.isSuccessful else {
            let words = FeaturePageError(response.body, reason: "status \(response.status)").words
            throw ServiceError(.answer(words), url: url.text, code: .unavailable)
        }
        do throws(FeaturePageError) {
            return try FeaturePage(
                response.body, for: request, contentCRS: response.header("Content-Crs"), limit: max(limit, 1) + 100_000,
                memory: memory)
        } catch { throw ServiceError(.answer(error.words), url: url.text) }
    }
}
