// Runs clang over the text of a kernel, in memory, and hands its tree to the converter.
#include "frontend/clang/bridge.h"
#include "frontend/clang/convert.hpp"
#include "frontend/clang/types.hpp"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTDiagnostic.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <cstring>

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

// The type that an argument of a diagnostic stands for; null for arguments that are no types.
QualType typeOfArgument(DiagnosticsEngine::ArgumentKind kind, uint64_t value)
{
    if (kind == DiagnosticsEngine::ak_qualtype_pair) {
        const auto *pair = reinterpret_cast<const TemplateDiffTypes *>(value);
        value = pair->PrintFromType ? pair->FromType : pair->ToType;
    } else if (kind != DiagnosticsEngine::ak_qualtype) {
        return {};
    }
    return QualType::getFromOpaquePtr(reinterpret_cast<void *>(value));
}

// Operations reach the type of a scalar through typeof, whose text is none of the user's.
QualType withoutTypeof(QualType type)
{
    if (const auto *expression = dyn_cast<TypeOfExprType>(type.getTypePtr()))
        return withoutTypeof(expression->desugar());
    if (const auto *named = dyn_cast<TypeOfType>(type.getTypePtr()))
        return withoutTypeof(named->desugar());
    return type;
}

// The mistakes that clang's number alone tells.
constexpr std::pair<unsigned, clang_mistake> mistakes[] = {
    {diag::err_undeclared_var_use, CLANG_UNKNOWN_NAME},
    {diag::err_undeclared_var_use_suggest, CLANG_UNKNOWN_NAME},
    {diag::ext_implicit_function_decl_c99, CLANG_UNKNOWN_NAME},
    {diag::err_unknown_typename, CLANG_UNKNOWN_NAME},
    {diag::err_unknown_typename_suggest, CLANG_UNKNOWN_NAME},
    {diag::err_static_assert_failed, CLANG_FAILED_ASSERTION},
    {diag::err_static_assert_requirement_failed, CLANG_FAILED_ASSERTION},
    {diag::err_typecheck_indirection_requires_pointer, CLANG_NO_POINTER},
    {diag::err_typecheck_member_reference_struct_union, CLANG_NO_STRUCT},
    {diag::err_typecheck_subscript_value, CLANG_NO_TILE},
    {diag::err_enumerator_too_large, CLANG_ENUMERATOR_TOO_LARGE},
    // Tiles are vectors, of as many lanes as TEENY_ELEMENTS of ops.h says.
    {diag::err_attribute_zero_size, CLANG_TILE_DIMENSIONS},
    {diag::err_attribute_size_too_large, CLANG_TILE_SIZE},
    {diag::err_attribute_invalid_vector_type, CLANG_TILE_ELEMENT},
};

// The same, where one of the types that the diagnostic is about is a tile.
constexpr std::pair<unsigned, clang_mistake> tileMistakes[] = {
    {diag::err_typecheck_statement_requires_scalar, CLANG_TILE_CONDITION},
    {diag::err_typecheck_statement_requires_integer, CLANG_TILE_CONDITION},
    {diag::err_typecheck_cond_expect_scalar, CLANG_TILE_CONDITION},
    {diag::err_typecheck_logical_vector_expr_gnu_cpp_restrict, CLANG_TILE_LOGICAL},
    {diag::err_typecheck_unary_expr, CLANG_TILE_OPERATOR},
    {diag::err_typecheck_invalid_operands, CLANG_TILE_OPERATOR},
    {diag::err_typecheck_illegal_increment_decrement, CLANG_TILE_OPERATOR},
    {diag::err_typecheck_vector_not_convertable_implict_truncation, CLANG_TILES_DIFFER},
    {diag::err_typecheck_vector_not_convertable, CLANG_TILES_DIFFER},
    {diag::err_typecheck_vector_lengths_not_equal, CLANG_TILES_DIFFER},
    {diag::err_typecheck_vector_not_convertable_non_scalar, CLANG_TILE_OPERATOR},
    {diag::err_typecheck_convert_incompatible, CLANG_TILE_CONVERTS},
};

template <size_t count>
clang_mistake find(const std::pair<unsigned, clang_mistake> (&table)[count], unsigned id)
{
    for (auto [number, mistake] : table)
        if (number == id)
            return mistake;
    return CLANG_OTHER_MISTAKE;
}

// "static assertion failed due to requirement '...': text" -> "text"
const char *ownText(const std::string &text)
{
    size_t colon = text.rfind("': ");
    if (colon != std::string::npos)
        return text.c_str() + colon + 3;
    colon = text.find(": ");
    return colon == std::string::npos ? text.c_str() : text.c_str() + colon + 2;
}

// A diagnostic of clang's, taken apart.
struct Said {
    std::string message, types[2], written;
    clang_mistake mistake;
    ast_place place = 0;

    explicit Said(const Diagnostic &diagnostic)
    {
        llvm::SmallString<256> text;
        diagnostic.FormatDiagnostic(text);
        message = text.str();
        bool isOfTile = readTypes(diagnostic);
        if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid())
            readPlace(diagnostic.getSourceManager(), diagnostic.getLocation());
        mistake = mistakeOf(diagnostic.getID(), isOfTile);
    }

    clang_diagnostic handed(clang_severity severity) const
    {
        bool isAssertion = mistake == CLANG_FAILED_ASSERTION;
        return {severity, mistake, place, isAssertion ? ownText(message) : message.c_str(),
            {types[0].c_str(), types[1].c_str()}, written.c_str()};
    }

  private:
    // The first two types; whether one of all is a tile, which is then the first where it is alone.
    bool readTypes(const Diagnostic &diagnostic)
    {
        bool isOfTile = false;
        unsigned count = 0;
        for (unsigned i = 0; i < diagnostic.getNumArgs(); i++) {
            if (diagnostic.getArgKind(i) == DiagnosticsEngine::ak_std_string)
                continue;
            QualType type = typeOfArgument(diagnostic.getArgKind(i), diagnostic.getRawArg(i));
            if (type.isNull())
                continue;
            bool isTile = type->isVectorType();
            std::string spelled = withoutTypeof(type).getUnqualifiedType().getAsString();
            if (isTile) {
                llvm::SmallString<64> tile;
                diagnostic.getDiags()->ConvertArgToString(
                    DiagnosticsEngine::ak_qualtype, diagnostic.getRawArg(i), "", "", {}, tile, {});
                spelled = tile.str();
            }
            isOfTile |= isTile;
            if (count < 2)
                types[count++] = spelled;
        }
        return isOfTile;
    }

    // An operator is the user's own where it was spelled in the text, also in an operation's
    // argument.
    void readPlace(const SourceManager &sources, SourceLocation location)
    {
        place = placeOf(sources, location);
        SourceLocation spelled = sources.getSpellingLoc(location);
        if (sources.getFileID(spelled) != sources.getMainFileID())
            return;
        bool isInvalid = false;
        llvm::StringRef text = sources.getCharacterData(spelled, &isInvalid);
        if (!isInvalid)
            written =
                text.take_while([](char c) { return c != '\0' && strchr("+-*/%&|^<>=!~", c); });
    }

    // A tile beside an operator of an operation's own: they add addresses and elements, and check
    // what has to be a constant.
    clang_mistake ofOperation() const
    {
        for (const std::string &type : types)
            if (llvm::StringRef(type).contains('*'))
                return CLANG_TILES_DIFFER;
        return CLANG_ARGUMENT_NOT_CONSTANT;
    }

    clang_mistake mistakeOf(unsigned id, bool isOfTile) const
    {
        llvm::StringRef text = message;
        if (text.contains("vector_size attribute requires an integer constant"))
            return CLANG_DIMENSION_NOT_CONSTANT;
        if (text.contains("static assertion expression is not an integral constant"))
            return CLANG_ARGUMENT_NOT_CONSTANT;
        if (clang_mistake found = find(mistakes, id))
            return found;
        if (!isOfTile)
            return CLANG_OTHER_MISTAKE;
        clang_mistake found = find(tileMistakes, id);
        if (written.empty() && (found == CLANG_TILE_OPERATOR || found == CLANG_TILE_LOGICAL))
            return ofOperation();
        bool isLogical = written == "&&" || written == "||" || written == "!";
        return found && isLogical ? CLANG_TILE_LOGICAL : found;
    }
};

// Hands clang's diagnostics to the caller's report, with places in the source text.
class Reporter : public DiagnosticConsumer
{
  public:
    Reporter(clang_report *report, void *context) : report(report), context(context) {}

    void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &diagnostic) override
    {
        DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
        bool isNote = level == DiagnosticsEngine::Note;
        if (!isNote)
            isHanded = level >= DiagnosticsEngine::Error; // and its notes with it
        if (!isHanded)
            return;
        Said said(diagnostic);
        // clang says twice that an operator does not take a tile.
        if (!isNote && diagnostic.getID() == diag::err_typecheck_invalid_operands &&
            said.place == lastPlace)
            isHanded = false;
        if (!isNote)
            lastPlace = said.place;
        if (!isHanded)
            return;
        clang_diagnostic handed = said.handed(isNote ? CLANG_NOTE : CLANG_ERROR);
        report(context, &handed);
    }

  private:
    clang_report *report;
    void *context;
    bool isHanded = false;
    ast_place lastPlace = UINT32_MAX;
};

// How a diagnostic spells what it is about: tiles in the language's words, the rest as clang does.
void spellArgument(DiagnosticsEngine::ArgumentKind kind, intptr_t value, llvm::StringRef modifier,
    llvm::StringRef argument, llvm::ArrayRef<DiagnosticsEngine::ArgumentValue> previous,
    llvm::SmallVectorImpl<char> &output, void *context, llvm::ArrayRef<intptr_t> types)
{
    QualType type = typeOfArgument(kind, static_cast<uint64_t>(value));
    std::string tile;
    if (!type.isNull())
        tile = describeTile(*static_cast<ASTContext *>(context), type);
    if (!tile.empty())
        output.append(tile.begin(), tile.end());
    else if (!type.isNull() && withoutTypeof(type) != type)
        FormatASTNodeDiagnosticArgument(DiagnosticsEngine::ak_qualtype,
            reinterpret_cast<intptr_t>(withoutTypeof(type).getAsOpaquePtr()), modifier, argument,
            previous, output, context, types);
    else
        FormatASTNodeDiagnosticArgument(
            kind, value, modifier, argument, previous, output, context, types);
}

bool isInt(const llvm::APSInt &value)
{
    return value.isSigned() ? value.isSignedIntN(32) : value.isIntN(31);
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

    // An enumerator that is no int makes all of its enumeration long: not as in C17, nor as in
    // other compilers. META are alone in theirs.
    void HandleTagDeclDefinition(TagDecl *tag) override
    {
        const auto *enumeration = dyn_cast<EnumDecl>(tag);
        if (!enumeration || enumeration->isFixed())
            return;
        auto enumerators = enumeration->enumerators();
        bool isAlone = std::distance(enumerators.begin(), enumerators.end()) == 1;
        for (const EnumConstantDecl *each : enumerators)
            if (isAlone ? !each->getInitVal().isRepresentableByInt64() : !isInt(each->getInitVal()))
                context->getDiagnostics().Report(
                    each->getLocation(), diag::err_enumerator_too_large)
                    << context->IntTy;
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
