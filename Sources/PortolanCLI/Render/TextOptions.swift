import ArgumentParser

/// The options that say how text looks.
struct TextOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A font for labels and furniture, the most wanted first; repeatable.",
            discussion: """
                A font file (.ttf, .otf, .ttc) or the name of an installed family. A character that the first font lacks \
                is taken from the next, and in the end from any installed font.
                """, valueName: "file|family"))
    var font: [String] = []
}
