#if canImport(Darwin)
import Foundation
import Synchronization

/// Collects what arrives for the tasks of one session and decides on redirects and challenges.
final class URLSessionTransferDelegate: NSObject, URLSessionDataDelegate {
    private let transfers = Mutex<[Int: URLSessionTransfer]>([:])

    func add(_ transfer: URLSessionTransfer, for task: URLSessionTask) {
        transfers.withLock { $0[task.taskIdentifier] = transfer }
    }

    /// Answers a transfer and stops its task; nothing happens when it has ended.
    func end(_ task: URLSessionTask, with reply: ReplySlot.Reply) {
        let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        transfer?.slot.answer(reply)
        task.cancel()
    }

    private func endTooLarge(_ task: URLSessionTask, _ transfer: URLSessionTransfer) {
        let limit = transfer.request.maximumBodyByteCount
        end(task, with: .failure(.bodyTooLarge(url: transfer.asked, limit: limit, status: transfer.status)))
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let transfer = transfers.withLock { transfers -> URLSessionTransfer? in
            guard let http = response as? HTTPURLResponse else { return transfers[dataTask.taskIdentifier] }
            transfers[dataTask.taskIdentifier]?.status = http.statusCode
            transfers[dataTask.taskIdentifier]?.headers = http.allHeaderFields.compactMap { name, value in
                guard let name = name as? String, let value = value as? String else { return nil }
                return HTTPHeader(name: name, value: value)
            }
            return transfers[dataTask.taskIdentifier]
        }
        guard let transfer else { return completionHandler(.cancel) }
        if response.expectedContentLength > Int64(transfer.request.maximumBodyByteCount) {
            endTooLarge(dataTask, transfer)
            return completionHandler(.cancel)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let tooLarge = transfers.withLock { transfers -> URLSessionTransfer? in
            let fits = transfers[dataTask.taskIdentifier]?.append(data) ?? true
            return fits ? nil : transfers[dataTask.taskIdentifier]
        }
        if let tooLarge { endTooLarge(dataTask, tooLarge) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let transfer = transfers.withLock({ $0[task.taskIdentifier] }) else { return completionHandler(nil) }
        do throws(FetchError) {
            let next = try Redirect.next(
                after: transfer.request,
                to: newRequest.url?.absoluteString ?? "",
                count: transfer.redirectCount,
                asked: transfer.asked)
            transfers.withLock { transfers in
                transfers[task.taskIdentifier]?.request = next
                transfers[task.taskIdentifier]?.redirectCount += 1
            }
            completionHandler(URLRequest(next))
        } catch {
            end(task, with: .failure(error))
            completionHandler(nil)
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // Every challenge is answered. Credentials travel in headers: rejecting lets the 401 come through as a response.
        let isServerTrust = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
        completionHandler(isServerTrust ? .performDefaultHandling : .rejectProtectionSpace, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        guard let transfer else { return }
        transfer.slot.answer(transfer.reply(error: error))
    }
}
#endif
