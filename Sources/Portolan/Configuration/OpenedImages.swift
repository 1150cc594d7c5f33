import PortolanWeb
import Synchronization

/// The structures of images on servers, which connections and renderers of one configuration share.
final class OpenedImages: Sendable {
    private let images = Mutex<[NamedURL: OpenedImage]>([:])

    /// A map has a handful of images; directories of many would take much memory.
    private static let limit = 16

    /// The structure of the image at an address, or `nil` if it was not opened.
    subscript(address: NamedURL) -> OpenedImage? {
        get { images.withLock { $0[address] } }
        set {
            images.withLock { images in
                if images.count >= Self.limit, images[address] == nil { images.removeAll() }
                images[address] = newValue
            }
        }
    }

    /// Changes the structure of an opening that is still the current one.
    func update(_ opened: OpenedImage, at address: NamedURL, _ change: (inout OpenedImage) -> Void) {
        images.withLock { images in
            guard var current = images[address], current.opening == opened.opening else { return }
            change(&current)
            images[address] = current
        }
    }
}
