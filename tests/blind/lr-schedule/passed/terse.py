import math
learning_rate=lambda t,a,b,w,c:t/w*a if t<w else b if t>=c else b+(1+math.cos((t-w)/(c-w)*math.pi))*(a-b)/2
