#if os(Linux)
/// CURLOPT_WRITEFUNCTION: `size * count` bytes of decoded body at `bytes`, valid during the call.
///
/// Taking fewer than offered ends the transfer. `context` is the `CurlTransfer`, alive while its handle is.
func receiveCurlBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

/// CURLOPT_HEADERFUNCTION: one header line of `size * count` bytes at `bytes`, valid during the call; else as above.
func receiveCurlHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.receiveHeaderLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

extension CurlTransfer {
    /// Bytes a body reserves on the word of a `Content-Length` alone.
    private static var maximumReservation: Int { 1 << 20 }

    fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        noteActivity()
        guard bytes.count <= request.maximumBodyByteCount - body.count else {
            receivingError = .bodyTooLarge(url: asked, limit: request.maximumBodyByteCount, status: head.status)
            return 0
        }
        if body.isEmpty, let announced = head.contentLength {
            body.reserveCapacity(min(announced, request.maximumBodyByteCount, CurlTransfer.maximumReservation))
        }
        unsafe body.append(contentsOf: bytes)
        return bytes.count
    }

    fileprivate func receiveHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Int {
        noteActivity()
        guard head.append(line: unsafe Array(bytes)) else {
            let detail = "the header is longer than \(CurlResponseHead.maximumByteCount) bytes"
            receivingError = FetchError(.headerTooLarge, url: asked, status: head.status, detail: detail)
            return 0
        }
        return bytes.count
    }
}
#endif
