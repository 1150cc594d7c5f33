import PortolanRaster

/// The pages of a document with their links, labels and outline (ISO 32000-1, clauses 12.3, 12.4.2 and 12.5.6.5).
struct PDFPages {
    /// A rectangle of a page that leads to another page or an address.
    struct Link {
        /// The destination of a link.
        enum Target {
            /// The page of an index.
            case page(Int)
            /// An address.
            case address(String)
        }

        /// The rectangle in pixels of the page.
        let box: Rectangle
        let target: Target
    }

    private struct Page {
        let number: Int
        let title: String?
        let label: String?
    }

    private var pages: [Page] = []
    /// The object numbers of pages that links name, by index.
    private var reserved: [Int: Int] = [:]
    /// The largest number of pages that a link may be ahead.
    private static let largestIndex = 100_000

    /// Adds a page, and returns its object number.
    mutating func add(title: String?, label: String?, _ file: inout PDFFile) -> Int {
        let number = number(ofPage: pages.count, &file)
        pages.append(Page(number: number, title: title, label: label))
        return number
    }

    private mutating func number(ofPage index: Int, _ file: inout PDFFile) -> Int {
        if let number = reserved[index] { return number }
        let number = file.reserve()
        reserved[index] = number
        return number
    }

    /// Returns the entry of a page for its links, which is empty without any.
    mutating func annotations(
        _ links: [Link], _ corners: (Rectangle) -> String, _ file: inout PDFFile
    ) -> String {
        var entries: [String] = []
        for link in links {
            let action: String
            switch link.target {
            case .page(let index):
                guard (0...Self.largestIndex).contains(index) else { continue }
                action = "/Dest[\(number(ofPage: index, &file)) 0 R/Fit]"
            case .address(let address): action = "/A<</S/URI/URI\(PDFText.string(address))>>"
            }
            entries.append("<</Type/Annot/Subtype/Link/Rect[\(corners(link.box))]/Border[0 0 0]/F 4\(action)>>")
        }
        return entries.isEmpty ? "" : "/Annots[\(entries.joined())]"
    }

    /// The dictionary of all pages.
    var tree: String {
        "<</Type/Pages/Kids[\(pages.map { "\($0.number) 0 R" }.joined(separator: " "))]/Count \(pages.count)>>"
    }

    /// Writes outline and labels, and returns their entries of the catalogue, which are empty without any.
    func write(to file: inout PDFFile) -> String {
        var entries = ""
        let labelled = pages.enumerated().filter { $0.element.label != nil }
        if !labelled.isEmpty {
            let labels = pages.enumerated().map { index, page in
                "\(index)<</P\(PDFText.string(page.label ?? "\(index + 1)"))>>"
            }
            entries += "/PageLabels<</Nums[\(labels.joined(separator: " "))]>>"
        }
        let titled = pages.filter { $0.title != nil }
        guard !titled.isEmpty else { return entries }
        let root = file.reserve(), numbers = titled.map { _ in file.reserve() }
        for (index, page) in titled.enumerated() {
            let previous = index > 0 ? "/Prev \(numbers[index - 1]) 0 R" : ""
            let next = index + 1 < numbers.count ? "/Next \(numbers[index + 1]) 0 R" : ""
            file.write(
                numbers[index],
                "<</Title\(PDFText.string(page.title ?? ""))/Parent \(root) 0 R/Dest[\(page.number) 0 R/Fit]\(previous)\(next)>>"
            )
        }
        if let first = numbers.first, let last = numbers.last {
            file.write(root, "<</Type/Outlines/First \(first) 0 R/Last \(last) 0 R/Count \(numbers.count)>>")
        }
        return entries + "/Outlines \(root) 0 R/PageMode/UseOutlines"
    }
}
