#if canImport(SwiftUI) && (canImport(UIKit) || canImport(AppKit)) && !os(watchOS)
public import SwiftUI

/// A SwiftUI view of a map, with a ``MapView``.
///
/// It has not been compiled by the project, which is built and tested on Linux.
///
/// ```swift
/// InteractiveMap(map) { action in print(action) }
/// ```
public struct InteractiveMap {
    private let map: MapFacade
    private let onAction: ((GestureMachine.Action) -> Void)?

    /// Creates a view of a map.
    ///
    /// - Parameter onAction: called with the gesture actions for the app: taps, long presses, boxes.
    public init(_ map: MapFacade, onAction: ((GestureMachine.Action) -> Void)? = nil) {
        self.map = map
        self.onAction = onAction
    }

    @MainActor private func makeView() -> MapView {
        let view = MapView(map)
        view.onAction = onAction
        return view
    }
}

#if canImport(UIKit)
extension InteractiveMap: UIViewRepresentable {
    /// Creates the UIKit view.
    public func makeUIView(context: Context) -> MapView { makeView() }
    /// Updates the action handler.
    public func updateUIView(_ view: MapView, context: Context) { view.onAction = onAction }
}
#else
extension InteractiveMap: NSViewRepresentable {
    /// Creates the AppKit view.
    public func makeNSView(context: Context) -> MapView { makeView() }
    /// Updates the action handler.
    public func updateNSView(_ view: MapView, context: Context) { view.onAction = onAction }
}
#endif
#endif
