// clang's tree to ours, node by node. What the language has no use for becomes AST_UNSUPPORTED with
// a name, which the lowering refuses at its place: nothing is dropped here.
#include "frontend/clang/convert.hpp"
#include "frontend/clang/elements.hpp"
#include "frontend/clang/operators.hpp"
#include "frontend/clang/types.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/DenseMap.h>

using namespace clang;

ast_place placeOf(const SourceManager &sources, SourceLocation location)
{
    if (location.isInvalid())
        return 0;
    SourceLocation inFile = sources.getFileLoc(location);
    return sources.isInMainFile(inFile) ? sources.getFileOffset(inFile) : 0;
}

namespace
{

using Children = llvm::SmallVector<const ast_node *, 8>;

class Converter : public ConstStmtVisitor<Converter, ast_node *>
{
  public:
    Converter(arena *arena, ASTContext &context)
        : arena_(arena), context(context), sources(context.getSourceManager()),
          types(arena, context)
    {
    }

    const ast_function *function(const FunctionDecl *declaration);

    // Statements
    ast_node *VisitCompoundStmt(const CompoundStmt *s);
    ast_node *VisitDeclStmt(const DeclStmt *s);
    ast_node *VisitReturnStmt(const ReturnStmt *s)
    {
        return s->getRetValue() ? node(AST_RETURN, s, {expression(s->getRetValue())})
                                : node(AST_RETURN, s);
    }
    ast_node *VisitIfStmt(const IfStmt *s)
    {
        return node(AST_IF, s,
            {expression(s->getCond()), statement(s->getThen()), statement(s->getElse())});
    }
    ast_node *VisitForStmt(const ForStmt *s)
    {
        return node(AST_FOR, s,
            {statement(s->getInit()), statement(s->getCond()), statement(s->getInc()),
                statement(s->getBody())});
    }
    ast_node *VisitWhileStmt(const WhileStmt *s)
    {
        return node(AST_WHILE, s, {expression(s->getCond()), statement(s->getBody())});
    }
    ast_node *VisitDoStmt(const DoStmt *s)
    {
        return node(AST_DO, s, {statement(s->getBody()), expression(s->getCond())});
    }
    ast_node *VisitSwitchStmt(const SwitchStmt *s)
    {
        return node(AST_SWITCH, s, {expression(s->getCond()), statement(s->getBody())});
    }
    ast_node *VisitCaseStmt(const CaseStmt *s)
    {
        return node(AST_CASE, s,
            {expression(s->getLHS()), statement(s->getRHS()), statement(s->getSubStmt())});
    }
    ast_node *VisitDefaultStmt(const DefaultStmt *s)
    {
        return node(AST_DEFAULT, s, {statement(s->getSubStmt())});
    }
    ast_node *VisitBreakStmt(const BreakStmt *s)
    {
        return node(AST_BREAK, s);
    }
    ast_node *VisitContinueStmt(const ContinueStmt *s)
    {
        return node(AST_CONTINUE, s);
    }
    ast_node *VisitNullStmt(const NullStmt *s)
    {
        return node(AST_EMPTY, s);
    }
    ast_node *VisitGotoStmt(const GotoStmt *s)
    {
        return unsupported(s, "goto", DIAGNOSTIC_UNSUPPORTED_GOTO);
    }
    ast_node *VisitIndirectGotoStmt(const IndirectGotoStmt *s)
    {
        return unsupported(s, "goto", DIAGNOSTIC_UNSUPPORTED_GOTO);
    }
    ast_node *VisitLabelStmt(const LabelStmt *s)
    {
        return unsupported(s, "a label", DIAGNOSTIC_UNSUPPORTED_GOTO);
    }
    ast_node *VisitAsmStmt(const AsmStmt *s)
    {
        return unsupported(s, "inline assembly", DIAGNOSTIC_UNSUPPORTED_ASSEMBLY);
    }
    ast_node *VisitBinaryConditionalOperator(const BinaryConditionalOperator *e)
    {
        return unsupported(e, "?: without a middle", DIAGNOSTIC_UNSUPPORTED_MIDDLE);
    }
    ast_node *VisitInitListExpr(const InitListExpr *e)
    {
        return unsupported(e, "a list of values in braces");
    }
    ast_node *VisitCompoundLiteralExpr(const CompoundLiteralExpr *e)
    {
        return unsupported(e, "a compound literal");
    }
    ast_node *VisitPredefinedExpr(const PredefinedExpr *e)
    {
        return unsupported(e, "the name of the function");
    }
    ast_node *VisitStmt(const Stmt *s)
    {
        return unsupported(
            s, (llvm::Twine("this construct (") + s->getStmtClassName() + ")").str());
    }

    // Expressions
    ast_node *VisitParenExpr(const ParenExpr *e)
    {
        return expression(e->getSubExpr());
    }
    ast_node *VisitConstantExpr(const ConstantExpr *e)
    {
        return expression(e->getSubExpr());
    }
    ast_node *VisitGenericSelectionExpr(const GenericSelectionExpr *e)
    {
        return expression(e->getResultExpr());
    }
    ast_node *VisitChooseExpr(const ChooseExpr *e)
    {
        return expression(e->getChosenSubExpr());
    }
    ast_node *VisitDeclRefExpr(const DeclRefExpr *e);
    ast_node *VisitStringLiteral(const StringLiteral *e);
    ast_node *VisitUnaryOperator(const UnaryOperator *e);
    ast_node *VisitBinaryOperator(const BinaryOperator *e);
    ast_node *VisitCompoundAssignOperator(const CompoundAssignOperator *e);
    ast_node *VisitCastExpr(const CastExpr *e);
    ast_node *VisitCallExpr(const CallExpr *e);
    ast_node *VisitArraySubscriptExpr(const ArraySubscriptExpr *e)
    {
        return node(AST_SUBSCRIPT, e, {expression(e->getBase()), expression(e->getIdx())});
    }
    ast_node *VisitMemberExpr(const MemberExpr *e)
    {
        ast_node *made = node(AST_MEMBER, e, {expression(e->getBase())});
        made->name = copy(e->getMemberDecl()->getName());
        return made;
    }
    ast_node *VisitConditionalOperator(const ConditionalOperator *e)
    {
        return node(AST_CONDITIONAL, e,
            {expression(e->getCond()), expression(e->getTrueExpr()),
                expression(e->getFalseExpr())});
    }
    ast_node *VisitStmtExpr(const StmtExpr *e)
    {
        return node(AST_STATEMENT_EXPRESSION, e, {statement(e->getSubStmt())});
    }

  private:
    const char *copy(llvm::StringRef text)
    {
        return arena_copy(arena_, text.data(), text.size());
    }
    ast_place place(SourceLocation location)
    {
        return placeOf(sources, location);
    }

    ast_node *node(ast_kind kind, const Stmt *s, llvm::ArrayRef<const ast_node *> children = {});
    ast_node *unsupported(
        const Stmt *s, llvm::StringRef what, diagnostic_id refusal = DIAGNOSTIC_UNSUPPORTED);
    ast_node *statement(const Stmt *s);
    ast_node *expression(const Expr *e);
    ast_node *constant(const Expr *e);
    bool isVariable(const Expr *e);

    const ast_type *type(QualType of)
    {
        return types.of(of);
    }

    void setTile(QualType of, ast_variable *made);
    ast_variable *unnamed(QualType of);
    ast_variable *variable(const VarDecl *declaration);
    void metas(const CompoundStmt *body, ast_function *made);

    arena *arena_;
    ASTContext &context;
    const SourceManager &sources;
    TypeTable types;
    llvm::DenseMap<const VarDecl *, ast_variable *> variables;
    llvm::DenseMap<const Expr *, bool> variability;
};

ast_node *Converter::node(ast_kind kind, const Stmt *s, llvm::ArrayRef<const ast_node *> children)
{
    ast_node *made = arena_new(arena_, ast_node);
    made->kind = kind;
    const auto *e = llvm::dyn_cast<Expr>(s);
    made->place = place(e ? e->getExprLoc() : s->getBeginLoc());
    made->type = e ? type(e->getType()) : nullptr;
    made->num_children = children.size();
    made->children = arena_array(arena_, const ast_node *, children.size());
    std::copy(children.begin(), children.end(), made->children);
    return made;
}

ast_node *Converter::unsupported(const Stmt *s, llvm::StringRef what, diagnostic_id refusal)
{
    ast_node *made = node(AST_UNSUPPORTED, s);
    made->name = copy(what);
    made->refusal = refusal;
    return made;
}

// An absent part of a statement is an empty one.
ast_node *Converter::statement(const Stmt *s)
{
    if (!s) {
        ast_node *made = arena_new(arena_, ast_node);
        made->kind = AST_EMPTY;
        return made;
    }
    if (const auto *e = llvm::dyn_cast<Expr>(s))
        return expression(e);
    return Visit(s);
}

ast_node *Converter::expression(const Expr *e)
{
    if (ast_node *folded = constant(e))
        return folded;
    return Visit(e);
}

// Whether the value surely depends on a variable or on memory. Told from the operands once for
// every expression, so that a sum of many terms is not evaluated again from each of its partial
// sums.
bool Converter::isVariable(const Expr *e)
{
    e = e->IgnoreParenCasts();
    if (const auto *reference = llvm::dyn_cast<DeclRefExpr>(e)) {
        const auto *declared = llvm::dyn_cast<VarDecl>(reference->getDecl());
        return declared && declared->hasLocalStorage();
    }
    if (llvm::isa<ArraySubscriptExpr, StmtExpr>(e))
        return true;
    const auto *unary = llvm::dyn_cast<UnaryOperator>(e);
    const auto *binary = llvm::dyn_cast<BinaryOperator>(e);
    if (!unary && !binary)
        return false;
    auto found = variability.find(e);
    if (found != variability.end())
        return found->second;
    bool isVarying = unary ? isVariable(unary->getSubExpr())
                           : isVariable(binary->getLHS()) || isVariable(binary->getRHS());
    variability[e] = isVarying;
    return isVarying;
}

// An arithmetic value that clang can compute is a constant; NULL for anything else.
ast_node *Converter::constant(const Expr *e)
{
    QualType of = e->getType();
    bool isArithmetic = of->isIntegralOrEnumerationType() || of->isRealFloatingType();
    if (e->isGLValue() || !isArithmetic || isVariable(e))
        return nullptr;
    Expr::EvalResult result;
    if (!e->EvaluateAsRValue(result, context) || result.HasSideEffects)
        return nullptr;
    if (result.Val.isInt()) {
        ast_node *made = node(AST_INTEGER, e);
        const llvm::APSInt &value = result.Val.getInt();
        made->integer = value.isSigned() ? value.sextOrTrunc(64).getZExtValue()
                                         : value.zextOrTrunc(64).getZExtValue();
        return made;
    }
    if (result.Val.isFloat()) {
        ast_node *made = node(AST_FLOATING, e);
        llvm::APFloat value = result.Val.getFloat();
        bool inexact; // every element type's values are doubles: nothing is lost
        value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
        made->floating = value.convertToDouble();
        return made;
    }
    return nullptr;
}

ast_node *Converter::VisitCompoundStmt(const CompoundStmt *s)
{
    Children children;
    for (const Stmt *each : s->body())
        children.push_back(statement(each));
    return node(AST_COMPOUND, s, children);
}

// One declaration a variable; a statement that declares several becomes a block of them. Local
// types, enumerations and assertions have done their work in clang.
ast_node *Converter::VisitDeclStmt(const DeclStmt *s)
{
    Children children;
    for (const Decl *each : s->decls()) {
        const auto *declared = llvm::dyn_cast<VarDecl>(each);
        if (!declared && (llvm::isa<TypeDecl>(each) || llvm::isa<StaticAssertDecl>(each)))
            continue;
        if (!declared)
            return unsupported(s, "a local function or extern declaration");
        if (!declared->hasLocalStorage())
            return unsupported(s, "a static or extern variable", DIAGNOSTIC_STATIC_VARIABLE);
        ast_node *made = node(AST_DECLARATION, s);
        made->place = place(declared->getLocation());
        made->variable = variable(declared);
        children.push_back(made);
    }
    if (children.size() == 1)
        return const_cast<ast_node *>(children[0]);
    ast_node *made = node(AST_COMPOUND, s, children);
    made->declares = true;
    return made;
}

ast_node *Converter::VisitDeclRefExpr(const DeclRefExpr *e)
{
    if (llvm::isa<FunctionDecl>(e->getDecl())) {
        ast_node *made = node(AST_FUNCTION, e);
        made->name = copy(e->getDecl()->getName());
        return made;
    }
    const auto *declared = llvm::dyn_cast<VarDecl>(e->getDecl());
    if (!declared)
        return unsupported(e, "this name");
    if (!declared->hasLocalStorage())
        return unsupported(e, "a variable of the file", DIAGNOSTIC_FILE_VARIABLE);
    ast_node *made = node(AST_VARIABLE, e);
    made->variable = variable(declared);
    return made;
}

ast_node *Converter::VisitStringLiteral(const StringLiteral *e)
{
    if (e->getCharByteWidth() != 1)
        return unsupported(e, "a wide string");
    ast_node *made = node(AST_STRING, e);
    made->name = copy(e->getString());
    return made;
}

ast_node *Converter::VisitUnaryOperator(const UnaryOperator *e)
{
    if (e->getOpcode() == UO_Extension)
        return expression(e->getSubExpr());
    ast_node *made = node(AST_UNARY, e, {expression(e->getSubExpr())});
    made->op = operatorOf(e->getOpcode());
    return made->op == AST_OP_NONE ? unsupported(e, "this operator") : made;
}

ast_node *Converter::VisitBinaryOperator(const BinaryOperator *e)
{
    ast_kind kind = e->getOpcode() == BO_Assign ? AST_ASSIGN : AST_BINARY;
    ast_node *made = node(kind, e, {expression(e->getLHS()), expression(e->getRHS())});
    made->op = operatorOf(e->getOpcode());
    return made->op == AST_OP_NONE ? unsupported(e, "this operator") : made;
}

ast_node *Converter::VisitCompoundAssignOperator(const CompoundAssignOperator *e)
{
    ast_node *made = node(AST_ASSIGN, e, {expression(e->getLHS()), expression(e->getRHS())});
    made->op = operatorOf(e->getOpcode());
    made->computation = type(e->getComputationLHSType());
    return made;
}

ast_node *Converter::VisitCastExpr(const CastExpr *e)
{
    bool isExplicit = llvm::isa<ExplicitCastExpr>(e);
    ast_cast cast = castOf(e->getCastKind());
    if (cast == AST_CAST_NONE && !isExplicit)
        return expression(e->getSubExpr());
    const Expr *operand = e->getSubExpr();
    // Folded, a fraction that is spread over an integer tile would be cut without a trace.
    bool showsConversion = cast == AST_CAST_SPLAT && llvm::isa<ImplicitCastExpr>(operand);
    ast_node *made = node(AST_CAST, e, {showsConversion ? Visit(operand) : expression(operand)});
    if (isExplicit)
        made->place = place(e->getBeginLoc());
    made->cast = cast;
    made->is_explicit = isExplicit;
    return made;
}

ast_node *Converter::VisitCallExpr(const CallExpr *e)
{
    const FunctionDecl *callee = e->getDirectCallee();
    if (!callee)
        return unsupported(e, "a call through a pointer");
    Children children;
    for (const Expr *each : e->arguments())
        children.push_back(expression(each));
    ast_node *made = node(AST_CALL, e, children);
    made->place = place(e->getBeginLoc());
    made->name = copy(callee->getName());
    return made;
}

void Converter::setTile(QualType of, ast_variable *made)
{
    DeclaredTile tile = declaredTile(context, of);
    made->declared_element = tile.element;
    made->rank = tile.dimensions.size();
    std::copy(tile.dimensions.begin(), tile.dimensions.end(), made->dimensions);
}

ast_variable *Converter::unnamed(QualType of)
{
    ast_variable *made = arena_new(arena_, ast_variable);
    made->name = "";
    made->type = type(of);
    setTile(of, made);
    return made;
}

ast_variable *Converter::variable(const VarDecl *declaration)
{
    auto [found, isNew] = variables.try_emplace(declaration, nullptr);
    if (!isNew)
        return found->second;
    ast_variable *made = arena_new(arena_, ast_variable);
    variables[declaration] = made; // before the initialiser, which may name it
    made->name = copy(declaration->getName());
    made->index = variables.size() - 1;
    made->type = type(declaration->getType());
    made->place = place(declaration->getLocation());
    setTile(declaration->getType(), made);
    if (declaration->getInit())
        made->initializer = expression(declaration->getInit());
    return made;
}

const EnumDecl *enumerationOf(const Stmt *s)
{
    const auto *declaration = llvm::dyn_cast<DeclStmt>(s);
    return declaration && declaration->isSingleDecl()
               ? llvm::dyn_cast<EnumDecl>(declaration->getSingleDecl())
               : nullptr;
}

// At the head of a kernel's body every META is an enumeration, and one of teeny_meta_ ends them.
void Converter::metas(const CompoundStmt *body, ast_function *made)
{
    llvm::SmallVector<ast_constant, 8> found;
    for (const Stmt *each : body->body()) {
        const EnumDecl *enumeration = enumerationOf(each);
        if (!enumeration || enumeration->enumerators().empty())
            return;
        const EnumConstantDecl *constant = *enumeration->enumerator_begin();
        if (constant->getName() == "teeny_meta_") {
            ast_constant *list = arena_array(arena_, ast_constant, found.size());
            std::copy(found.begin(), found.end(), list);
            made->metas = list;
            made->num_metas = found.size();
            return;
        }
        found.push_back({copy(constant->getName()), constant->getInitVal().getExtValue()});
    }
}

const ast_function *Converter::function(const FunctionDecl *declaration)
{
    ast_function *made = arena_new(arena_, ast_function);
    made->name = copy(declaration->getName());
    made->place = place(declaration->getLocation());
    made->result_variable = unnamed(declaration->getReturnType());
    made->num_parameters = declaration->getNumParams();
    made->parameters = arena_array(arena_, const ast_variable *, made->num_parameters);
    for (size_t i = 0; i < made->num_parameters; i++)
        made->parameters[i] = variable(declaration->getParamDecl(i));
    const auto *body = llvm::cast<CompoundStmt>(declaration->getBody());
    made->is_variadic = declaration->isVariadic();
    metas(body, made);
    made->body = VisitCompoundStmt(body);
    made->variables_end = variables.size();
    return made;
}

} // namespace

const ast_function *convertFunctions(arena *arena, ASTContext &context)
{
    Converter converter(arena, context);
    const ast_function *first = nullptr;
    const ast_function **link = &first;
    for (const Decl *each : context.getTranslationUnitDecl()->decls()) {
        const auto *declaration = llvm::dyn_cast<FunctionDecl>(each);
        if (!declaration || !declaration->doesThisDeclarationHaveABody())
            continue;
        auto *made = const_cast<ast_function *>(converter.function(declaration));
        *link = made;
        link = const_cast<const ast_function **>(&made->next);
    }
    return first;
}
