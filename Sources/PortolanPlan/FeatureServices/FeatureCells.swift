import PortolanFeatures
import PortolanRaster
import Synchronization

/// Parsed service responses, kept between plans so that each response is parsed once.
final class FeatureCells: TrimmableCache {
    /// A parsed response.
    struct Page: Sendable {
        /// A unique number.
        let number: UInt64
        let content: Result<FeaturePage, FeaturePageError>
    }

    /// The largest number of bytes, and of responses, that are kept.
    private static let byteLimit = 64 << 20
    private static let pageLimit = 1024

    private struct State {
        var pages: [String: (bytes: [UInt8], contentCRS: String?, page: Page, lastUse: UInt64)] = [:]
        var byteCount = 0
        var lastNumber: UInt64 = 0
        var joined: (pages: [UInt64], base: UInt64, source: FeatureSource)?
    }

    private let state = Mutex(State())

    /// The approximate number of bytes of the pages, doubled to account for the features parsed from them.
    var byteCount: Int { state.withLock(\.byteCount) * 2 }

    /// Removes the least recently used pages until at most `byteCount` bytes are kept.
    func trim(to byteCount: Int) {
        state.withLock { state in
            if state.byteCount * 2 > byteCount { state.joined = nil }
            Self.evict(&state) { $0.byteCount * 2 <= byteCount }
        }
    }

    private static func evict(_ state: inout State, until isEnough: (State) -> Bool) {
        while !isEnough(state), let oldest = state.pages.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            state.byteCount -= oldest.value.bytes.count
            state.pages[oldest.key] = nil
        }
    }

    /// The page of a response, which is parsed unless it is the one that was last parsed for its address.
    func page(
        at address: String, _ bytes: [UInt8], _ contentCRS: String?, read: () -> Result<FeaturePage, FeaturePageError>
    ) -> Page {
        let known: Page? = state.withLock { state in
            guard let kept = state.pages[address], kept.bytes == bytes, kept.contentCRS == contentCRS
            else { return nil }
            state.lastNumber += 1
            state.pages[address]?.lastUse = state.lastNumber
            return kept.page
        }
        if let known { return known }
        let content = read()
        return state.withLock { state in
            state.lastNumber += 1
            let page = Page(number: state.lastNumber, content: content)
            state.byteCount += bytes.count - (state.pages[address]?.bytes.count ?? 0)
            state.pages[address] = (bytes, contentCRS, page, state.lastNumber)
            Self.evict(&state) {
                $0.pages.count == 1 || $0.byteCount <= Self.byteLimit && $0.pages.count <= Self.pageLimit
            }
            return page
        }
    }

    /// The source of the features of some pages, reused from the last plan if the pages are the same.
    func source(
        of pages: [UInt64], likewise base: FeatureSource, make: () -> FeatureSource
    ) -> FeatureSource {
        let known = state.withLock { state in
            state.joined.flatMap { $0.pages == pages && $0.base == base.contentID ? $0.source : nil }
        }
        if let known { return known }
        let source = make()
        state.withLock { $0.joined = (pages, base.contentID, source) }
        return source
    }
}
