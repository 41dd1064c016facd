// Runs clang over the text of a kernel, in memory, and hands its tree to the converter.
#include "frontend/clang/bridge.h"
#include "frontend/clang/convert.hpp"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTDiagnostic.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/VirtualFileSystem.h>

using namespace clang;

namespace
{

constexpr const char *sourcePath = "/teeny/source.c";
constexpr const char *includePath = "/teeny/include";

// Everything about the language is fixed here; nothing comes from the machine.
constexpr const char *arguments[] = {"-triple", "x86_64-unknown-linux-gnu", "-std=gnu17",
    "-ffreestanding", "-nostdsysteminc", "-nobuiltininc", "-I", includePath, "-DTEENYC",
    "-flax-vector-conversions=integer", "-Werror=implicit-function-declaration",
    "-Werror=incompatible-pointer-types", "-Werror=int-conversion",
    "-Werror=incompatible-pointer-types-discards-qualifiers", "-Werror=return-type",
    "-Werror=invalid-pp-token", "-fsyntax-only", "-x", "c", sourcePath};

// Hands clang's diagnostics to the caller's report, with places in the source text.
class Reporter : public DiagnosticConsumer
{
  public:
    Reporter(clang_report *report, void *context) : report(report), context(context) {}

    void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &diagnostic) override
    {
        DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
        if (level != DiagnosticsEngine::Note)
            isHanded = level >= DiagnosticsEngine::Error; // and its notes with it
        if (!isHanded)
            return;
        llvm::SmallString<256> text;
        diagnostic.FormatDiagnostic(text);
        clang_diagnostic handed = {};
        handed.severity = level == DiagnosticsEngine::Note ? CLANG_NOTE : CLANG_ERROR;
        handed.mistake = mistakeOf(diagnostic.getID());
        handed.message = wording(diagnostic.getID(), text);
        if (diagnostic.hasSourceManager())
            handed.place = placeOf(diagnostic.getSourceManager(), diagnostic.getLocation());
        report(context, &handed);
    }

  private:
    static clang_mistake mistakeOf(unsigned id)
    {
        switch (id) {
        case diag::err_undeclared_var_use:
        case diag::err_undeclared_var_use_suggest:
        case diag::ext_implicit_function_decl_c99:
        case diag::err_unknown_typename:
        case diag::err_unknown_typename_suggest:
            return CLANG_UNKNOWN_NAME;
        case diag::err_static_assert_failed:
        case diag::err_static_assert_requirement_failed:
            return CLANG_FAILED_ASSERTION;
        default:
            return CLANG_OTHER_MISTAKE;
        }
    }

    // What a person is told. Vectors are tiles here; their sizes are TEENY_ELEMENTS of ops.h.
    static const char *wording(unsigned id, llvm::SmallString<256> &text)
    {
        if (id == diag::err_attribute_zero_size)
            return "a tile has 1 to 5 dimensions, each a power of two";
        if (id == diag::err_attribute_size_too_large)
            return "a tile has more than 1048576 elements";
        if (id == diag::err_attribute_invalid_vector_type)
            return "a tile has elements of the element types alone";
        if (text.str().contains("vector_size attribute requires an integer constant"))
            return "the dimensions of a tile are constants: numbers, META, or of a TEENY_DECL";
        if (text.str().contains("static assertion expression is not an integral constant"))
            return "this argument is a constant: a number, META, or of a TEENY_DECL";
        return mistakeOf(id) == CLANG_FAILED_ASSERTION ? ownText(text) : text.c_str();
    }

    // "static assertion failed due to requirement '...': text" -> "text"
    static const char *ownText(llvm::SmallString<256> &text)
    {
        size_t colon = text.rfind("': ");
        if (colon != llvm::StringRef::npos)
            return text.c_str() + colon + 3;
        colon = text.find(": ");
        return colon == llvm::StringRef::npos ? text.c_str() : text.c_str() + colon + 2;
    }

    clang_report *report;
    void *context;
    bool isHanded = false;
};

// The type that an argument of a diagnostic stands for; null for arguments that are no types.
QualType typeOfArgument(DiagnosticsEngine::ArgumentKind kind, intptr_t value)
{
    if (kind == DiagnosticsEngine::ak_qualtype_pair) {
        const auto *pair = reinterpret_cast<const TemplateDiffTypes *>(value);
        value = pair->PrintFromType ? pair->FromType : pair->ToType;
    } else if (kind != DiagnosticsEngine::ak_qualtype) {
        return {};
    }
    return QualType::getFromOpaquePtr(reinterpret_cast<void *>(value));
}

// How a diagnostic spells what it is about: tiles in the language's words, the rest as clang does.
void spellArgument(DiagnosticsEngine::ArgumentKind kind, intptr_t value, llvm::StringRef modifier,
    llvm::StringRef argument, llvm::ArrayRef<DiagnosticsEngine::ArgumentValue> previous,
    llvm::SmallVectorImpl<char> &output, void *context, llvm::ArrayRef<intptr_t> types)
{
    QualType type = typeOfArgument(kind, value);
    std::string tile;
    if (!type.isNull())
        tile = describeTile(*static_cast<ASTContext *>(context), type);
    if (tile.empty())
        FormatASTNodeDiagnosticArgument(
            kind, value, modifier, argument, previous, output, context, types);
    else
        output.append(tile.begin(), tile.end());
}

class Consumer : public ASTConsumer
{
  public:
    Consumer(arena *arena, const ast_function **functions) : arena_(arena), functions(functions) {}

    void Initialize(ASTContext &astContext) override
    {
        context = &astContext;
    }

    // The first declaration is one of the environment's: from here on sema is set up, and what it
    // chose for itself can be replaced.
    bool HandleTopLevelDecl(DeclGroupRef) override
    {
        context->getDiagnostics().SetArgToStringFn(&spellArgument, context);
        return true;
    }

    void HandleTranslationUnit(ASTContext &astContext) override
    {
        if (!astContext.getDiagnostics().hasErrorOccurred())
            *functions = convertFunctions(arena_, astContext);
    }

  private:
    arena *arena_;
    const ast_function **functions;
    ASTContext *context = nullptr;
};

class Action : public ASTFrontendAction
{
  public:
    Action(arena *arena, const ast_function **functions) : arena_(arena), functions(functions) {}

    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, llvm::StringRef) override
    {
        return std::make_unique<Consumer>(arena_, functions);
    }

  private:
    arena *arena_;
    const ast_function **functions;
};

llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> filesOf(
    const char *text, const clang_header *headers, size_t numHeaders)
{
    auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    files->addFile(sourcePath, 0, llvm::MemoryBuffer::getMemBuffer(text, sourcePath));
    for (size_t i = 0; i < numHeaders; i++) {
        std::string path = std::string(includePath) + "/" + headers[i].name;
        files->addFile(path, 0, llvm::MemoryBuffer::getMemBuffer(headers[i].text, path));
    }
    return files;
}

void abortInSilence(void *, const char *, bool)
{
    std::abort();
}

} // namespace

bool clang_parse(arena *arena, const char *text, const clang_header *headers, size_t numHeaders,
    clang_report *report, void *context, const ast_function **outFunctions)
{
    *outFunctions = nullptr;
    // The driver's handler of SIGABRT words it.
    static const bool isInstalled = (llvm::install_bad_alloc_error_handler(&abortInSilence), true);
    (void)isInstalled;
    Reporter reporter(report, context);
    auto files = filesOf(text, headers, numHeaders);

    auto invocation = std::make_shared<CompilerInvocation>();
    DiagnosticOptions options;
    auto engine = CompilerInstance::createDiagnostics(*files, options, &reporter, false);
    if (!CompilerInvocation::CreateFromArgs(*invocation, arguments, *engine))
        return false;
    invocation->getDiagnosticOpts().ErrorLimit = 100;   // more than are shown
    invocation->getDiagnosticOpts().ShowCarets = false; // no summary of its own on standard error

    CompilerInstance compiler(invocation);
    compiler.setVirtualFileSystem(files);
    compiler.createDiagnostics(&reporter, false);
    compiler.createFileManager();
    Action action(arena, outFunctions);
    return compiler.ExecuteAction(action) && reporter.getNumErrors() == 0;
}
