import PortolanFetch

/// Something that is still to be written.
struct StoreChange: Sendable {
    enum Kind: Sendable {
        case put(StoredResponse, place: StorePlace)
        case confirm(StoredResponse)
        case remove
    }

    let key: StoreKey
    let kind: Kind
    /// When it was asked for, in milliseconds since 1970.
    let moment: Int
    /// Which change of its store it is.
    var number = 0

    init(key: StoreKey, kind: Kind, moment: Int) {
        self.key = key
        self.kind = kind
        self.moment = moment
    }

    /// Bytes that it holds in memory.
    var byteCount: Int {
        switch kind {
        case .put(let entry, _), .confirm(let entry): 1000 + entry.body.count
        case .remove: 1000
        }
    }

    /// Bytes that it takes on disk: the pages of the body, and a share of those for the rest.
    var diskByteCount: Int {
        guard case .put(let entry, _) = kind else { return 0 }
        return (entry.body.count / 4092 + 2) * 4096
    }
}
