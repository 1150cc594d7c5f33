/// A label that has got a place.
package struct LabelPlacement: Hashable, Sendable {
    /// Which of the requests it is.
    package let request: Int
    /// Which of the request's candidates it got.
    package let candidate: Int

    package init(request: Int, candidate: Int) {
        self.request = request
        self.candidate = candidate
    }
}
